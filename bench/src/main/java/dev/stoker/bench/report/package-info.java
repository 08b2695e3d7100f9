/** What a {@link dev.stoker.bench.sweep.Sweep} found, for people and programs: a page, a table, CSV and JSON. */
@NullMarked
package dev.stoker.bench.report;

import org.jspecify.annotations.NullMarked;
