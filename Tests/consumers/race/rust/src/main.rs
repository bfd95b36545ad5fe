//! The Rust program of the race: see README.md.

use std::error::Error;
use std::fs::{write, File, OpenOptions};
use std::io::Write;
use std::path::Path;
use std::thread::sleep;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use firsttime::{Options, Outcome, Store};

const MILLISECOND: Duration = Duration::from_millis(1);

fn meet(place: &str) -> std::io::Result<()> {
    write(format!("{place}.rust"), "")?;
    for language in ["c", "python", "rust", "swift"] {
        while !Path::new(&format!("{place}.{language}")).exists() {
            sleep(MILLISECOND);
        }
    }
    Ok(())
}

fn append(key: &str) -> std::io::Result<()> {
    let mut file = OpenOptions::new().append(true).create(true).open("runs.txt")?;
    file.write_all(format!("{key} rust\n").as_bytes())?;
    sleep(MILLISECOND);
    Ok(())
}

fn seconds(time: Option<SystemTime>) -> u64 {
    time.and_then(|time| time.duration_since(UNIX_EPOCH).ok()).map_or(0, |since| since.as_secs())
}

fn main() -> Result<(), Box<dyn Error>> {
    let store = Store::open(&Options::new().path("race.archive").app_version("rust"))?;
    store.set_clock(|| UNIX_EPOCH + Duration::from_secs(1700000003));
    meet("ready")?;
    for index in 0..200 {
        let key = format!("key.{index:03}");
        if store.execute_once(&key, || append(&key))? == Outcome::Ran {
            sleep(5 * MILLISECOND);
        }
    }
    meet("done")?;
    let mut file = File::create("records.rust")?;
    for record in store.records("")? {
        let versions = [record.last_version, record.first_version].map(Option::unwrap_or_default).join(" ");
        let (last, first) = (seconds(record.last_time), seconds(record.first_time));
        writeln!(file, "{} {} {} {} {}", record.key, versions, last, first, record.count)?;
    }
    Ok(store.close()?)
}
