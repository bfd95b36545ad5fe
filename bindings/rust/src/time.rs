//! Owns how times pass between the library's doubles, seconds since 1970, and SystemTime.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

pub(crate) enum Rounding {
    Nearest,
    /// So that what is due at a time is due at what this gives.
    Up,
}

/// NaN is none, and so is what SystemTime can't hold.
pub(crate) fn from_seconds(seconds: f64, rounding: Rounding) -> Option<SystemTime> {
    if !seconds.is_finite() || seconds.abs() > 1e15 {
        return None;
    }
    let whole = seconds.floor();
    let rest = (seconds - whole) * 1e9;
    let nanoseconds = match rounding {
        Rounding::Nearest => rest.round(),
        Rounding::Up => rest.ceil(),
    };
    let start = if whole < 0.0 {
        UNIX_EPOCH.checked_sub(Duration::from_secs(-whole as u64))
    } else {
        UNIX_EPOCH.checked_add(Duration::from_secs(whole as u64))
    };
    start?.checked_add(Duration::from_nanos(nanoseconds as u64))
}

pub(crate) fn to_seconds(time: SystemTime) -> f64 {
    match time.duration_since(UNIX_EPOCH) {
        Ok(since) => since.as_secs() as f64 + f64::from(since.subsec_nanos()) / 1e9,
        Err(before) => {
            let before = before.duration();
            -(before.as_secs() as f64) - f64::from(before.subsec_nanos()) / 1e9
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_come_back_to_the_double_they_were() {
        for seconds in [0.0, 0.1, -0.1, -5.25, 1.7e9 + 1.0 / 3.0, 1_700_000_000.123_456_7, 9e12, -6e10] {
            for rounding in [Rounding::Nearest, Rounding::Up] {
                let time = from_seconds(seconds, rounding).unwrap();
                assert!((to_seconds(time) - seconds).abs() <= 1e-9);
            }
        }
        assert_eq!(to_seconds(from_seconds(1.7e9 + 1.0 / 3.0, Rounding::Up).unwrap()), 1.7e9 + 1.0 / 3.0);
        assert_eq!(from_seconds(-0.5, Rounding::Nearest), UNIX_EPOCH.checked_sub(Duration::from_millis(500)));
        assert_eq!(from_seconds(0.999_999_999_9, Rounding::Nearest), Some(UNIX_EPOCH + Duration::from_secs(1)));
        for seconds in [f64::NAN, f64::INFINITY, -f64::INFINITY, 1e300] {
            assert_eq!(from_seconds(seconds, Rounding::Nearest), None);
        }
    }
}
