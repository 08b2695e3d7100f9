/**
 * What every rank delivered, and the proof that each sample was delivered once; specified in {@code
 * docs/format/ledger.md}. {@link dev.stoker.ledger.Ledger} writes, {@link dev.stoker.ledger.LedgerCheck} proves.
 */
@NullMarked
package dev.stoker.ledger;

import org.jspecify.annotations.NullMarked;
