package dev.stoker.fuzz;

import java.util.List;

/** Words that texts are made of. */
final class Words {
    static final List<String> JSON = List.of(
            "{",
            "}",
            "[",
            "]",
            ",",
            ":",
            "\"",
            "\\",
            "\\u0000",
            "\\ud800",
            "null",
            "true",
            "false",
            "-1",
            "0",
            "1e999",
            "9223372036854775808",
            "\"\"",
            "{}",
            "[]",
            " ");

    /** What META of an Index says. */
    static final List<String> INDEX = List.of(
            "\"tree\"",
            "\"file\"",
            "\"index\"",
            "\"blocks\"",
            "\"key\"",
            "\"bytes\"",
            "\"text\"",
            "\"text[]\"",
            "\"int8\"",
            "\"int64[*]\"",
            "\"bool[0,9]\"",
            "\"float32[2,3]\"",
            "\"int64[*,*,*,*]\"",
            "\"zstd\"",
            "\"tiles\"",
            "\"shuffle\"",
            "\"zeros\"",
            "true",
            "null",
            "-1",
            "0",
            "9223372036854775807",
            "2147483648",
            "[]",
            "{}",
            "\"../x\"");

    static final List<String> NPY = List.of(
            "{",
            "}",
            "(",
            ")",
            ",",
            "'",
            "\"",
            "'descr'",
            "'shape'",
            "'fortran_order'",
            "True",
            "False",
            "'|O'",
            "'<f4'",
            "'>i8'",
            "9223372036854775807",
            "3L",
            "[");

    /** What the header of safetensors says. */
    static final List<String> STATE = List.of(
            "{",
            "}",
            "[",
            "]",
            ",",
            ":",
            "\"",
            "\"F32\"",
            "\"BOOL\"",
            "\"dtype\"",
            "\"shape\"",
            "\"data_offsets\"",
            "[0,0]",
            "-1",
            "4611686018427387904",
            "9223372036854775807",
            "__metadata__",
            "null");

    private Words() {}
}
