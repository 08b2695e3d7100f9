/**
 * What Stoker is built from: reasons that people wrote ({@code tools/third-party.tsv}), and what the build found. From both come
 * the {@link dev.stoker.testkit.bill.Page} {@code docs/third-party.md} and the bill of materials of the distribution, {@link
 * dev.stoker.testkit.bill.Bill}.
 */
@NullMarked
package dev.stoker.testkit.bill;

import org.jspecify.annotations.NullMarked;
