// DonationsStrings: an event's donations as C sees them: numbers, and strings that someone must hold while they are
// looked at.

import CFirstTime
import FirstTimeStore

/// Calls `body` with the donations of the event that is called so, which are valid for that call.
func withDonations<Result>(
    event: Key, donations: Donations, _ body: (UnsafePointer<firsttime_donations>) -> Result
) -> Result {
    let strings = KeyStrings(event, first: donations.firstVersion, last: donations.lastVersion)
    return strings.withPointers { pointers in
        var shown = firsttime_donations(
            size: MemoryLayout<firsttime_donations>.size, event: pointers.key, count: donations.count,
            first_time: cTime(donations.firstTime), last_time: cTime(donations.lastTime),
            first_version: pointers.first, last_version: pointers.last)
        return withUnsafePointer(to: &shown) { body($0) }
    }
}
