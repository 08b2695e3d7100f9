/**
 * JSON as RFC 8259 has it, no more and no less: {@link dev.stoker.json.JsonReader} streams documents of any size,
 * {@link dev.stoker.json.Json} turns small ones into plain Java values and back.
 *
 * <p>Hot path: {@code JsonReader.name()} and {@code string()}, called once or twice per sample of a manifest.
 */
@NullMarked
package dev.stoker.json;

import org.jspecify.annotations.NullMarked;
