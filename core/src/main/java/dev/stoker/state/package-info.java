/**
 * The state of a program, such as a model's tensors, in one safetensors file that any number of processes write.
 *
 * <pre>
 *   u64 length of the header
 *   the header, JSON: {"__metadata__": {NAME: TEXT}, TENSOR: {"dtype": "F32", "shape": [2, 3], "data_offsets": [0, 24]}}
 *   the tensors without gaps; offsets are counted from here
 * </pre>
 *
 * Written are tensors by the size of their type, the largest first, then by name, and the header is padded with blanks to
 * a multiple of 8: so each tensor is aligned for its type. What the Python package saves beside tensors stands in the
 * metadata as {@code stoker}; docs/how-to/state.md says how.
 *
 * <p>Start reading at {@link dev.stoker.state.StateFile}.
 */
@NullMarked
package dev.stoker.state;

import org.jspecify.annotations.NullMarked;
