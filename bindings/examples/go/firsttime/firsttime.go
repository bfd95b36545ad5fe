// Package firsttime runs code once per install, once per app version, or once per interval, and remembers it: an
// example of how Go calls the library FirstTime through cgo. It wraps the functions that most programs need.
package firsttime

/*
#cgo pkg-config: firsttime
#include <firsttime.h>
#include <stdlib.h>

extern int firsttimeRunFirst(void *context);
extern int firsttimeRunAfter(void *context);

// A Go function is known to C by a number, which is passed as the context.
static inline firsttime_result execute(firsttime_store *store, const char *key, const firsttime_policy *policy,
                                       int has_after, uintptr_t work) {
    return firsttime_execute(store, key, policy, firsttimeRunFirst, has_after ? firsttimeRunAfter : NULL, (void *)work);
}
*/
import "C"

import (
	"errors"
	"math"
	"runtime"
	"runtime/cgo"
	"strings"
	"time"
	"unsafe"
)

// Error is a call that failed: its code is FIRSTTIME_ERROR_IO and so on, its text says what failed and why.
type Error struct {
	Code    int
	Message string
}

func (failure *Error) Error() string { return failure.Message }

// Options say how a store is opened. One of Path and AppID is needed.
type Options struct {
	Path, AppID, AppVersion string
	InMemory                bool
}

// Policy says when a key is due again. As it is: once per install.
type Policy struct {
	PerVersion bool
	Daily      bool          // once a day at most, whatever the hour
	Interval   time.Duration // 0: none
}

// Outcome is what an execution did.
type Outcome int

const (
	NotDue   Outcome = 0
	Ran      Outcome = 1
	RanAfter Outcome = 2
)

// Store is open until Close. Any goroutine may use it.
type Store struct{ store *C.firsttime_store }

// Open opens a store.
func Open(options Options) (*Store, error) {
	c := C.firsttime_options{size: C.sizeof_firsttime_options}
	for _, each := range []struct {
		from string
		to   **C.char
	}{{options.Path, &c.path}, {options.AppID, &c.app_id}, {options.AppVersion, &c.app_version}} {
		if each.from == "" {
			continue
		}
		text, err := cString(each.from)
		if err != nil {
			return nil, err
		}
		defer C.free(unsafe.Pointer(text))
		*each.to = text
	}
	if options.InMemory {
		c.flags = C.FIRSTTIME_IN_MEMORY
	} else if options.Path == "" && options.AppID == "" {
		return nil, errors.New("a store needs a path or an app id")
	}
	store := &Store{}
	_, err := call(func() C.firsttime_result { return C.firsttime_open(&c, &store.store) })
	if err != nil {
		return nil, err
	}
	return store, nil
}

// Close writes what is pending and closes the store.
func (store *Store) Close() error {
	_, err := call(func() C.firsttime_result { return C.firsttime_close(store.store) })
	store.store = nil
	return err
}

// work is the two functions of an execution, and what became of them.
type work struct {
	first, after func() error
	err          error
	panicked     any
}

func (work *work) run(function func() error) (status C.int) {
	defer func() {
		// A panic may not pass through C: it goes on when the library has returned.
		if work.panicked = recover(); work.panicked != nil {
			status = 1
		}
	}()
	if work.err = function(); work.err != nil {
		return 1
	}
	return 0
}

//export firsttimeRunFirst
func firsttimeRunFirst(context unsafe.Pointer) C.int {
	work := cgo.Handle(uintptr(context)).Value().(*work)
	return work.run(work.first)
}

//export firsttimeRunAfter
func firsttimeRunAfter(context unsafe.Pointer) C.int {
	work := cgo.Handle(uintptr(context)).Value().(*work)
	return work.run(work.after)
}

// Execute runs first when the policy says that key is due, and records it when it returns nil; otherwise it runs after,
// which may be nil. What they return as an error, or panic with, passes through.
func (store *Store) Execute(key string, policy Policy, first, after func() error) (Outcome, error) {
	text, err := cString(key)
	if err != nil {
		return NotDue, err
	}
	defer C.free(unsafe.Pointer(text))
	work := &work{first: first, after: after}
	handle := cgo.NewHandle(work)
	defer handle.Delete()
	c, hasAfter := policy.c(), C.int(0)
	if after != nil {
		hasAfter = 1
	}
	result, err := call(func() C.firsttime_result {
		return C.execute(store.store, text, &c, hasAfter, C.uintptr_t(handle))
	})
	if work.panicked != nil {
		panic(work.panicked)
	}
	if work.err != nil {
		return NotDue, work.err
	}
	return Outcome(result), err
}

// Claim is a key that is yours to run, until Commit or Abandon.
type Claim struct{ claim *C.firsttime_claim }

// Begin takes key when it is due, for work without a function; nil when it isn't.
func (store *Store) Begin(key string, policy Policy) (*Claim, error) {
	text, err := cString(key)
	if err != nil {
		return nil, err
	}
	defer C.free(unsafe.Pointer(text))
	c, claim := policy.c(), &Claim{}
	_, err = call(func() C.firsttime_result { return C.firsttime_begin(store.store, text, &c, &claim.claim) })
	if claim.claim == nil {
		return nil, err
	}
	return claim, nil
}

// Commit records the run.
func (claim *Claim) Commit() error {
	_, err := call(func() C.firsttime_result { return C.firsttime_commit(claim.take()) })
	return err
}

// Abandon gives the key back and records nothing. Once Commit was called it does nothing: defer it.
func (claim *Claim) Abandon() { C.firsttime_abandon(claim.take()) }

func (claim *Claim) take() *C.firsttime_claim {
	taken := claim.claim
	claim.claim = nil
	return taken
}

// WasExecuted says whether key has ever run on this install.
func (store *Store) WasExecuted(key string) (bool, error) {
	text, err := cString(key)
	if err != nil {
		return false, err
	}
	defer C.free(unsafe.Pointer(text))
	result, err := call(func() C.firsttime_result { return C.firsttime_was_executed(store.store, text) })
	return result == C.FIRSTTIME_YES, err
}

// Record is what is recorded of a key.
type Record struct {
	LastVersion string
	LastTime    time.Time
	Count       uint64
}

// Find gives what is recorded of key; nil: nothing.
func (store *Store) Find(key string) (*Record, error) {
	text, err := cString(key)
	if err != nil {
		return nil, err
	}
	defer C.free(unsafe.Pointer(text))
	record := C.firsttime_record{size: C.sizeof_firsttime_record}
	// Strings of C's own: the record points into them.
	var room C.size_t = 4096
	for {
		buffer := (*C.char)(C.malloc(room))
		needed := C.size_t(0)
		result, err := call(func() C.firsttime_result {
			return C.firsttime_read(store.store, text, &record, buffer, room, &needed)
		})
		if err == nil && result == C.FIRSTTIME_YES {
			seconds, fraction := math.Modf(float64(record.last_time))
			last := time.Unix(int64(seconds), int64(fraction*1e9))
			found := &Record{C.GoString(record.last_version), last, uint64(record.count)}
			C.free(unsafe.Pointer(buffer))
			return found, nil
		}
		C.free(unsafe.Pointer(buffer))
		if needed <= room {
			return nil, err
		}
		room = needed
	}
}

// call makes one call; the words of a failure belong to the thread that failed.
func call(function func() C.firsttime_result) (C.firsttime_result, error) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	result := function()
	if result < 0 {
		return result, &Error{int(result), C.GoString(C.firsttime_last_error())}
	}
	return result, nil
}

func (policy Policy) c() C.firsttime_policy {
	c := C.firsttime_policy{size: C.sizeof_firsttime_policy}
	if policy.PerVersion {
		c.flags |= C.FIRSTTIME_PER_VERSION
	}
	if policy.Daily {
		c.flags |= C.FIRSTTIME_PER_INTERVAL
		c.interval = C.firsttime_period(1, C.FIRSTTIME_DAY)
	} else if policy.Interval != 0 {
		c.flags |= C.FIRSTTIME_PER_INTERVAL
		c.interval = C.firsttime_elapsed(C.double(policy.Interval.Seconds()), C.FIRSTTIME_SECOND)
	}
	return c
}

// cString makes a string that the caller frees.
func cString(text string) (*C.char, error) {
	if strings.IndexByte(text, 0) >= 0 {
		return nil, &Error{C.FIRSTTIME_ERROR_ARGUMENT, "a string holds a NUL byte"}
	}
	return C.CString(text), nil
}
