//! Operations by name and subject, and the medians and lower deciles of their times.

use std::time::Instant;

const NANOSECONDS_OF_A_ROUND: f64 = 2e6;

/// An operation of a subject.
struct Timed {
    operation: String,
    subject: String,
    /// The number of elements of a run, whose time is divided among them.
    batch: usize,
    run: Box<dyn Fn()>,
}

/// Collects operations.
#[derive(Default)]
pub struct Operations(Vec<Timed>);

impl Operations {
    pub fn add(&mut self, operation: impl Into<String>, subject: impl Into<String>, run: impl Fn() + 'static) {
        self.add_batch(operation, subject, 1, run);
    }

    /// Adds an operation on many elements, whose time is that of one.
    pub fn add_batch(
        &mut self,
        operation: impl Into<String>,
        subject: impl Into<String>,
        batch: usize,
        run: impl Fn() + 'static,
    ) {
        self.0.push(Timed {
            operation: operation.into(),
            subject: subject.into(),
            batch,
            run: Box::new(run),
        });
    }

    /// Keeps operations with these names; without names, all.
    pub fn keep(&mut self, names: &[String]) {
        self.0
            .retain(|timed| names.is_empty() || names.contains(&timed.operation));
    }

    /// Prints the median and the lower decile of each operation over rounds in which all operations run.
    pub fn print(&self, rounds: usize) {
        for (timed, times) in self.0.iter().zip(self.sorted(rounds)) {
            let (median, decile) = (times[rounds / 2] / 1000.0, times[rounds / 10] / 1000.0);
            println!("{}|{}|{median:.3}|{decile:.3}", timed.operation, timed.subject);
        }
    }

    /// Returns the times of each operation in ns, the least first.
    fn sorted(&self, rounds: usize) -> Vec<Vec<f64>> {
        let counts: Vec<u32> = self
            .0
            .iter()
            .map(|timed| {
                let (time, batch) = (timed.nanoseconds(9), timed.batch as f64);
                (NANOSECONDS_OF_A_ROUND / (time * batch)).clamp((20.0 / batch).ceil(), 20000.0) as u32
            })
            .collect();
        let mut times = vec![Vec::with_capacity(rounds); counts.len()];
        for _ in 0..rounds {
            for ((timed, count), times) in self.0.iter().zip(&counts).zip(&mut times) {
                times.push(timed.nanoseconds(*count));
            }
        }
        for each in &mut times {
            each.sort_by(f64::total_cmp);
        }
        times
    }
}

impl Timed {
    /// Returns the mean time of a run, for each element.
    fn nanoseconds(&self, count: u32) -> f64 {
        let start = Instant::now();
        for _ in 0..count {
            (self.run)();
        }
        start.elapsed().as_nanos() as f64 / f64::from(count) / self.batch as f64
    }
}
