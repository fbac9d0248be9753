//! The machine: its calls, which a function answers elsewhere than in the zkVM.

#[cfg(not(target_arch = "riscv32"))]
pub mod portable;
#[cfg(target_arch = "riscv32")]
mod zkvm;

#[cfg(not(target_arch = "riscv32"))]
pub use portable::{halt, modmul};
#[cfg(target_arch = "riscv32")]
pub use zkvm::{halt, modmul};

/// Why a guest halts; 0 is success.
#[derive(Clone, Copy)]
#[repr(u32)]
pub enum Status {
    /// The call answered with 2^255 or more where a sum needs less.
    NotReduced = 1,
    /// No point of the curve, or coordinates of p or more.
    BadPoint,
    /// The schedule does not end at position 0, or leaves its array.
    BadSchedule,
    /// The sum of all multiples is not the identity.
    NotIdentity,
    /// The coefficient of R and its hinted inverse do not give 1.
    NotInvertible,
    /// The coefficient of Q does not belong to b.
    WrongQ,
    /// The coefficients of G do not belong to a.
    WrongG,
    /// A number has more bits than it may.
    OutOfRange,
}
