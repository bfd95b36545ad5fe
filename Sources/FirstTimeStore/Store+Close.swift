// Store+Close: giving a handle back. The last one of all processes leaves an archive that is complete by itself.

import CSystem

extension Store {
    /// Gives back what `open` gave; writes what is pending. Closed in every case, whatever it throws.
    ///
    /// `isReadOnly`: nothing is written.
    package func close(isReadOnly: Bool = false) throws(StoreError) {
        var failure: StoreError?
        if !isReadOnly {
            do { try writePending() } catch { failure = error }
        }
        let (isLastWriter, isLast) = ProcessStores.close(self, isReadOnly: isReadOnly)
        if isLastWriter {
            do { try leave() } catch { failure = failure ?? error }
        }
        if isLast {
            // A claim that nobody ended may keep this object, and what it has open, for ever.
            lockFile.forget()
            forgetFiles()
        }
        // Who looks beside the lock, without being inside a call, has left when it could be taken.
        withAccess {}
        if let failure { throw failure }
    }

    private func writePending() throws(StoreError) {
        if isInMemory { return }
        let isPending = try readMemory { $0.isAhead || !$0.pending.isEmpty }
        if isPending { try checkpoint(Self.longestCommit) }
    }

    /// Whoever leaves last makes a checkpoint: leaving comes before the look at what is to be done, so that of several
    /// at once one sees all. Who may not write leaves it to those who may.
    private func leave() throws(StoreError) {
        guard lockFile.leave(), try readMemory(.files, { $0.isArchiveBehind }) else { return }
        do throws(StoreError) { try checkpoint(Self.longestCommit) } catch {
            guard case .readOnly = error, !withAccess({ hasCommitted }) else { throw error }
        }
    }
}
