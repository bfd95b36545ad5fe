package firsttime

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

func open(t *testing.T) *Store {
	store, err := Open(Options{Path: filepath.Join(t.TempDir(), "store"), AppVersion: "1.0"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := store.Close(); err != nil {
			t.Error(err)
		}
	})
	return store
}

func nothing() error { return nil }

func code(err error) int {
	var failure *Error
	if errors.As(err, &failure) && failure.Message != "" {
		return failure.Code
	}
	return 0
}

func TestOutcomes(t *testing.T) {
	store := open(t)
	for _, each := range []struct {
		key      string
		policy   Policy
		after    func() error
		expected Outcome
	}{
		{"once", Policy{}, nil, Ran},
		{"once", Policy{}, nil, NotDue},
		{"once", Policy{}, nothing, RanAfter},
		{"version", Policy{PerVersion: true}, nil, Ran},
		{"version", Policy{PerVersion: true}, nil, NotDue},
		{"daily", Policy{Daily: true}, nil, Ran},
		{"hourly", Policy{Interval: time.Hour}, nil, Ran},
		{"hourly", Policy{Interval: time.Hour}, nil, NotDue},
	} {
		if outcome, err := store.Execute(each.key, each.policy, nothing, each.after); err != nil || outcome != each.expected {
			t.Errorf("%+v: %v, %v", each, outcome, err)
		}
	}
}

func TestErrorsAndPanicsPassThroughAndNothingIsRecorded(t *testing.T) {
	store := open(t)
	fails := errors.New("fails")
	if _, err := store.Execute("key", Policy{}, func() error { return fails }, nil); err != fails {
		t.Error(err)
	}
	func() {
		defer func() {
			if recovered := recover(); recovered != 7 {
				t.Error(recovered)
			}
		}()
		store.Execute("key", Policy{}, func() error { panic(7) }, nil)
	}()
	_, err := store.Execute("key", Policy{}, func() error {
		_, err := store.Execute("key", Policy{}, nothing, nil)
		return err
	}, nil)
	if code(err) != -6 {
		t.Error(err)
	}
	if executed, err := store.WasExecuted("key"); executed || err != nil {
		t.Error(executed, err)
	}
	for _, key := range []string{"", "a\x00b", "\xff"} {
		if _, err := store.WasExecuted(key); code(err) != -1 {
			t.Errorf("%q: %v", key, err)
		}
	}
	if _, err := Open(Options{}); err == nil {
		t.Error("a store without a path or an app id")
	}
	if _, err := Open(Options{Path: "/dev/null/store"}); code(err) != -2 {
		t.Error(err)
	}
}

func TestClaims(t *testing.T) {
	store := open(t)
	claim, err := store.Begin("key", Policy{})
	if claim == nil || err != nil {
		t.Fatal(err)
	}
	claim.Abandon()
	claim, err = store.Begin("key", Policy{})
	if claim == nil || err != nil {
		t.Fatal(err)
	}
	defer claim.Abandon()
	if err := claim.Commit(); err != nil {
		t.Error(err)
	}
	if claim, err := store.Begin("key", Policy{}); claim != nil || err != nil {
		t.Error(claim, err)
	}
	if record, err := store.Find("key"); err != nil || record.Count != 1 || record.LastVersion != "1.0" ||
		time.Since(record.LastTime) > time.Minute {
		t.Error(record, err)
	}
	if record, err := store.Find("other"); record != nil || err != nil {
		t.Error(record, err)
	}
}

func TestLongVersions(t *testing.T) {
	version := strings.Repeat("version ", 2000)
	store, err := Open(Options{InMemory: true, AppVersion: version})
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	store.Execute("key", Policy{}, nothing, nil)
	if record, err := store.Find("key"); err != nil || record.LastVersion != version {
		t.Error(err)
	}
}

func TestGoroutinesRunEachKeyOnce(t *testing.T) {
	store := open(t)
	var runs int32
	var group sync.WaitGroup
	for index := 0; index < 20; index++ {
		group.Add(1)
		go func() {
			defer group.Done()
			for _, key := range []string{"a", "b", "c", "d", "e"} {
				if _, err := store.Execute(key, Policy{}, func() error { atomic.AddInt32(&runs, 1); return nil }, nil); err != nil {
					t.Error(err)
				}
			}
		}()
	}
	group.Wait()
	if runs != 5 {
		t.Error(runs)
	}
}

func TestAppIDs(t *testing.T) {
	os.Setenv("XDG_STATE_HOME", t.TempDir())
	store, err := Open(Options{AppID: "org.example.app"})
	if err != nil {
		t.Fatal(err)
	}
	if err := store.Close(); err != nil {
		t.Error(err)
	}
}
