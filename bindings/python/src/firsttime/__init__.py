"""Run code once per install, once per app version, or once per interval, and remember it in a file.

    import firsttime

    with firsttime.Store(app_id="org.example.app", app_version="2.1") as store:
        store.execute_once("onboarding.v1", lambda: print("Welcome!"))

Or with decorators, over a store that is configured once:

    firsttime.configure(app_id="org.example.app")

    @firsttime.every(days=1)
    def look_for_updates(): ...

While one thread or process runs a key, the others wait, look again, and find it done. What your function raises passes
through, and the run is not recorded; the library's own failures are `Error` and its subclasses. The manual is the
library's C header, firsttime.h: each method is named after its function.

Times are aware datetimes in UTC, intervals are `timedelta` or `Interval`. Keys are 1 to 65535 bytes of UTF-8.
"""

from ._claim import Claim
from ._default import configure, default_store, every, once, once_per_version
from ._inspecting import dump, repair, verify
from ._values import (
    Donations,
    ImportReport,
    Interval,
    IntervalLike,
    Outcome,
    Policy,
    Problem,
    Record,
    TriggerRecord,
    Unit,
    library_version,
    version_compare,
)
from .errors import (
    ArgumentError,
    BusyError,
    CallbackError,
    CorruptError,
    Error,
    ForkedError,
    FormatError,
    InputOutputError,
    NotRecordedError,
    ReadOnlyError,
    ReentrantError,
)
from .rules import Observer, Rule
from .store import Store

__all__ = [
    "ArgumentError",
    "BusyError",
    "CallbackError",
    "Claim",
    "CorruptError",
    "Donations",
    "Error",
    "ForkedError",
    "FormatError",
    "ImportReport",
    "InputOutputError",
    "Interval",
    "IntervalLike",
    "NotRecordedError",
    "Observer",
    "Outcome",
    "Policy",
    "Problem",
    "ReadOnlyError",
    "Record",
    "ReentrantError",
    "Rule",
    "Store",
    "TriggerRecord",
    "Unit",
    "configure",
    "default_store",
    "dump",
    "every",
    "library_version",
    "once",
    "once_per_version",
    "repair",
    "verify",
    "version_compare",
]
