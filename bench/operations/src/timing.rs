//! Operations by name and subject, and the medians of their times.

use std::time::Instant;

const NANOSECONDS_OF_A_ROUND: f64 = 2e6;

/// An operation of a subject.
struct Timed {
    operation: String,
    subject: String,
    run: Box<dyn Fn()>,
}

/// Collects operations.
#[derive(Default)]
pub struct Operations(Vec<Timed>);

impl Operations {
    pub fn add(&mut self, operation: impl Into<String>, subject: impl Into<String>, run: impl Fn() + 'static) {
        self.0.push(Timed { operation: operation.into(), subject: subject.into(), run: Box::new(run) });
    }

    /// Prints the median of each operation over rounds in which all operations run.
    pub fn print(&self, rounds: usize) {
        for (timed, median) in self.0.iter().zip(self.medians(rounds)) {
            println!("{}|{}|{median:.3}", timed.operation, timed.subject);
        }
    }

    /// Returns the medians in µs.
    fn medians(&self, rounds: usize) -> Vec<f64> {
        let counts: Vec<u32> = self
            .0
            .iter()
            .map(|timed| (NANOSECONDS_OF_A_ROUND / timed.nanoseconds(9)).clamp(20.0, 20000.0) as u32)
            .collect();
        let mut times = vec![Vec::with_capacity(rounds); counts.len()];
        for _ in 0..rounds {
            for ((timed, count), times) in self.0.iter().zip(&counts).zip(&mut times) {
                times.push(timed.nanoseconds(*count));
            }
        }
        times
            .into_iter()
            .map(|mut each| {
                each.sort_by(f64::total_cmp);
                each[rounds / 2] / 1000.0
            })
            .collect()
    }
}

impl Timed {
    /// Returns the mean time of a run.
    fn nanoseconds(&self, count: u32) -> f64 {
        let start = Instant::now();
        for _ in 0..count {
            (self.run)();
        }
        start.elapsed().as_nanos() as f64 / f64::from(count)
    }
}
