"""Owns the shared library: where it is found, and what firsttime.h says of its functions. Calls none but the version's.

The library is looked for in $FIRSTTIME_LIBRARY (a path, and nothing else is tried then), in the loader's directories,
and by its soname, which $LD_LIBRARY_PATH and a run path apply to.
"""

from __future__ import annotations

import ctypes
import ctypes.util
import os
from ctypes import CFUNCTYPE, POINTER, Structure, c_char_p, c_double, c_int, c_int32, c_int64, c_size_t, c_uint32
from ctypes import c_uint64, c_void_p
from typing import Any

SONAME = "libfirsttime.so.1"


def _load() -> ctypes.CDLL:
    path = os.environ.get("FIRSTTIME_LIBRARY")
    try:
        return ctypes.CDLL(path or ctypes.util.find_library("firsttime") or SONAME)
    except OSError as error:
        raise ImportError(
            f"{path or SONAME} can't be loaded ({error}): install the library FirstTime, or set FIRSTTIME_LIBRARY "
            "to its path"
        ) from None


class Options(Structure):
    """firsttime_options"""

    _fields_ = [
        ("size", c_size_t),
        ("path", c_char_p),
        ("app_id", c_char_p),
        ("app_version", c_char_p),
        ("flags", c_uint32),
        ("wait_ms", c_int32),
        ("utc_offset_minutes", c_int32),
        ("first_weekday", c_int32),
    ]


class Interval(Structure):
    """firsttime_interval"""

    _fields_ = [("count", c_double), ("unit", c_int32), ("kind", c_int32)]


class Policy(Structure):
    """firsttime_policy"""

    _fields_ = [("size", c_size_t), ("flags", c_uint32), ("interval", Interval)]


class Record(Structure):
    """firsttime_record"""

    _fields_ = [
        ("size", c_size_t),
        ("key", c_char_p),
        ("last_version", c_char_p),
        ("last_time", c_double),
        ("first_version", c_char_p),
        ("first_time", c_double),
        ("count", c_uint64),
    ]


class Donations(Structure):
    """firsttime_donations"""

    _fields_ = [
        ("size", c_size_t),
        ("event", c_char_p),
        ("count", c_uint64),
        ("first_time", c_double),
        ("last_time", c_double),
        ("first_version", c_char_p),
        ("last_version", c_char_p),
    ]


class TriggerRecord(Structure):
    """firsttime_trigger_record"""

    _fields_ = [("size", c_size_t), ("name", c_char_p), ("last_time", c_double), ("count", c_uint64)]


class Problem(Structure):
    """firsttime_problem"""

    _fields_ = [("size", c_size_t), ("offset", c_uint64), ("text", c_char_p)]


Clock = CFUNCTYPE(c_double, c_void_p)
# Not c_char_p: ctypes would own the result.
VersionProvider = CFUNCTYPE(c_void_p, c_void_p)
Release = CFUNCTYPE(None, c_void_p)
Callback = CFUNCTYPE(c_int, c_void_p)
RecordVisitor = CFUNCTYPE(c_int, POINTER(Record), c_void_p)
DonationsVisitor = CFUNCTYPE(c_int, POINTER(Donations), c_void_p)
TriggerVisitor = CFUNCTYPE(c_int, POINTER(TriggerRecord), c_void_p)
NameVisitor = CFUNCTYPE(c_int, c_char_p, c_void_p)
Condition = CFUNCTYPE(c_int, c_void_p)
EventCondition = CFUNCTYPE(c_int, POINTER(Donations), c_void_p)
Trigger = CFUNCTYPE(None, c_char_p, c_void_p)
Work = CFUNCTYPE(None, c_void_p)
Executor = CFUNCTYPE(None, c_void_p, Work, c_void_p)
ProblemVisitor = CFUNCTYPE(c_int, POINTER(Problem), c_void_p)
Progress = CFUNCTYPE(c_int, c_uint64, c_uint64, c_void_p)
Writer = CFUNCTYPE(c_int, c_void_p, c_size_t, c_void_p)

# What stands for NULL where a function is wanted.
no_clock, no_version_provider, no_release = Clock(0), VersionProvider(0), Release(0)
no_callback, no_trigger, no_problem_visitor = Callback(0), Trigger(0), ProblemVisitor(0)


class RuleOptions(Structure):
    """firsttime_rule_options"""

    _fields_ = [
        ("size", c_size_t),
        ("frequency", Interval),
        ("throttle_name", c_char_p),
        ("limit", c_uint64),
        ("delay_seconds", c_double),
        ("executor", Executor),
        ("queue", c_void_p),
        ("release", Release),
    ]


class ImportOptions(Structure):
    """firsttime_import_options"""

    _fields_ = [
        ("size", c_size_t),
        ("format", c_int32),
        ("defaults_key", c_char_p),
        ("interval_names", POINTER(c_char_p)),
        ("intervals", POINTER(Interval)),
        ("interval_count", c_size_t),
        ("flags", c_uint32),
        ("skipped", ProblemVisitor),
        ("progress", Progress),
        ("context", c_void_p),
    ]


class ImportReport(Structure):
    """firsttime_import_report"""

    _fields_ = [
        ("size", c_size_t),
        ("records_added", c_uint64),
        ("records_updated", c_uint64),
        ("records_kept", c_uint64),
        ("events_added", c_uint64),
        ("events_updated", c_uint64),
        ("events_kept", c_uint64),
        ("skipped", c_uint64),
        ("format", c_int32),
    ]


_store = c_void_p
_rule = c_void_p
_rules = POINTER(c_void_p)
_policy = POINTER(Policy)

# The functions of firsttime.h that this package calls: result, then parameters.
SIGNATURES: dict[str, tuple[Any, ...]] = {
    "firsttime_last_error": (c_char_p,),
    "firsttime_result_name": (c_char_p, c_int),
    "firsttime_library_version": (c_char_p,),
    "firsttime_open": (c_int, POINTER(Options), POINTER(_store)),
    "firsttime_close": (c_int, _store),
    "firsttime_flush": (c_int, _store),
    "firsttime_path": (c_char_p, _store),
    "firsttime_set_clock": (None, _store, Clock, c_void_p, Release),
    "firsttime_set_version_provider": (None, _store, VersionProvider, c_void_p, Release),
    "firsttime_days": (Interval, c_double),
    "firsttime_elapsed": (Interval, c_double, c_int),
    "firsttime_calendar": (Interval, c_double, c_int),
    "firsttime_period": (Interval, c_double, c_int),
    "firsttime_execute_once": (c_int, _store, c_char_p, Callback, Callback, c_void_p),
    "firsttime_execute_once_per_version": (c_int, _store, c_char_p, Callback, Callback, c_void_p),
    "firsttime_execute_once_per_interval": (c_int, _store, c_char_p, Interval, Callback, Callback, c_void_p),
    "firsttime_execute": (c_int, _store, c_char_p, _policy, Callback, Callback, c_void_p),
    "firsttime_begin": (c_int, _store, c_char_p, _policy, POINTER(c_void_p)),
    "firsttime_commit": (c_int, c_void_p),
    "firsttime_abandon": (None, c_void_p),
    "firsttime_was_executed": (c_int, _store, c_char_p),
    "firsttime_is_due": (c_int, _store, c_char_p, _policy),
    "firsttime_next_due": (c_int, _store, c_char_p, _policy, POINTER(c_double)),
    "firsttime_last_execution": (c_int, _store, c_char_p, POINTER(c_double)),
    "firsttime_find": (c_int, _store, c_char_p, RecordVisitor, c_void_p),
    "firsttime_each": (c_int, _store, c_char_p, RecordVisitor, c_void_p),
    "firsttime_count": (c_int64, _store, c_char_p),
    "firsttime_mark": (c_int, _store, c_char_p),
    "firsttime_reset_key": (c_int, _store, c_char_p),
    "firsttime_reset_prefix": (c_int, _store, c_char_p),
    "firsttime_reset": (c_int, _store),
    "firsttime_should_run": (c_int, _store, c_char_p, Interval),
    "firsttime_mark_run": (c_int, _store, c_char_p),
    "firsttime_reset_interval": (c_int, _store, c_char_p),
    "firsttime_reset_all_intervals": (c_int, _store),
    "firsttime_donate": (c_int, _store, c_char_p),
    "firsttime_find_donations": (c_int, _store, c_char_p, DonationsVisitor, c_void_p),
    "firsttime_each_donations": (c_int, _store, DonationsVisitor, c_void_p),
    "firsttime_reset_donations": (c_int, _store, c_char_p),
    "firsttime_rule_always": (_rule,),
    "firsttime_rule_never": (_rule,),
    "firsttime_rule_not": (_rule, _rule),
    "firsttime_rule_all_of": (_rule, _rules, c_size_t),
    "firsttime_rule_any_of": (_rule, _rules, c_size_t),
    "firsttime_rule_none_of": (_rule, _rules, c_size_t),
    "firsttime_rule_at_least": (_rule, c_size_t, _rules, c_size_t),
    "firsttime_rule_condition": (_rule, Condition, c_void_p, Release),
    "firsttime_rule_event": (_rule, c_char_p, EventCondition, c_void_p, Release),
    "firsttime_rule_event_at_least": (_rule, c_char_p, c_uint64),
    "firsttime_rule_event_within": (_rule, c_char_p, c_double),
    "firsttime_rule_event_not_within": (_rule, c_char_p, c_double),
    "firsttime_rule_version_at_least": (_rule, c_char_p),
    "firsttime_rule_first_seen_in_current_version": (_rule, c_char_p),
    "firsttime_rule_parse": (_rule, c_char_p),
    "firsttime_rule_free": (None, _rule),
    "firsttime_rule_text": (c_size_t, _rule, c_char_p, c_size_t),
    "firsttime_set_rule": (c_int, _store, c_char_p, _rule, Trigger, c_void_p, POINTER(RuleOptions)),
    "firsttime_remove_rule": (c_int, _store, c_char_p),
    "firsttime_is_rule_registered": (c_int, _store, c_char_p),
    "firsttime_each_rule": (c_int, _store, NameVisitor, c_void_p),
    "firsttime_find_trigger": (c_int, _store, c_char_p, TriggerVisitor, c_void_p),
    "firsttime_reset_trigger": (c_int, _store, c_char_p),
    "firsttime_evaluate_rules": (c_int, _store),
    "firsttime_wait_for_delayed_rules": (c_int, _store),
    "firsttime_observe": (c_int, _store, c_char_p, Trigger, c_void_p, Release, POINTER(c_uint64)),
    "firsttime_remove_observer": (c_int, _store, c_uint64),
    "firsttime_post": (c_int, _store, c_char_p),
    "firsttime_version_compare": (c_int, c_char_p, c_char_p),
    "firsttime_import": (c_int, _store, c_char_p, POINTER(ImportOptions), POINTER(ImportReport)),
    "firsttime_import_bytes": (c_int, _store, c_char_p, c_size_t, POINTER(ImportOptions), POINTER(ImportReport)),
    "firsttime_export": (c_int, _store, c_char_p, c_int32),
    "firsttime_export_to": (c_int, _store, c_int32, Writer, c_void_p),
    "firsttime_dump_bytes": (c_int, c_char_p, c_size_t, c_uint32, Writer, c_void_p),
    "firsttime_verify_bytes": (c_int, c_char_p, c_size_t, ProblemVisitor, c_void_p),
    "firsttime_repair": (c_int, c_char_p, ProblemVisitor, c_void_p),
}

library = _load()
for _name, (_result, *_parameters) in SIGNATURES.items():
    try:
        _function = getattr(library, _name)
    except AttributeError:
        raise ImportError(f"the library that was found is older than this package: it has no {_name}") from None
    _function.restype, _function.argtypes = _result, _parameters

_version = library.firsttime_library_version().decode()
if not _version.startswith("1."):
    raise ImportError(f"this package needs version 1 of the library FirstTime, not {_version}")
