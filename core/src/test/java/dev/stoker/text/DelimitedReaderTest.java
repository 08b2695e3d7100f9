package dev.stoker.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stoker.StokerException;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DelimitedReaderTest {
    private static DelimitedReader csv(String text) {
        return DelimitedReader.csv(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)), "t.csv");
    }

    private static List<List<String>> rows(DelimitedReader reader) {
        var rows = new ArrayList<List<String>>();
        while (reader.next()) {
            rows.add(List.copyOf(reader.row()));
        }
        return rows;
    }

    @Test
    void readsQuotesLineBreaksAndEmptyFields() {
        var reader =
                csv("\uFEFFpath,label,\r\na.jpg,1,\r\n" + "\"b,\"\"x\"\".jpg\",\"two\r\nlines\",ä€😀\n,\"\",\"\"\"\"");
        assertThat(reader.header()).containsExactly("path", "label", "");
        assertThat(reader.column("label")).isEqualTo(1);
        assertThat(rows(reader))
                .containsExactly(
                        List.of("a.jpg", "1", ""),
                        List.of("b,\"x\".jpg", "two\r\nlines", "ä€😀"),
                        List.of("", "", "\""));
        assertThat(reader.next()).isFalse();
    }

    @Test
    void knowsTheLineInWhichARowBegins() {
        var reader = csv("a,b\n\"1\n2\n3\",x\ny,z\n");
        reader.next();
        assertThat(reader.line()).isEqualTo(2);
        reader.next();
        assertThat(reader.line()).isEqualTo(5);
        assertThat(reader.row()).containsExactly("y", "z");
    }

    @Test
    void readsTabs() {
        byte[] table = "a\tb\n1,2\t\"x\ty\"\n".getBytes(StandardCharsets.UTF_8);
        var reader = DelimitedReader.tsv(new ByteArrayInputStream(table), "t.tsv");
        assertThat(rows(reader)).containsExactly(List.of("1,2", "x\ty"));
    }

    @Test
    void oneColumnMayBeEmpty() {
        assertThat(rows(csv("a\n\nx\n\"\""))).containsExactly(List.of(""), List.of("x"), List.of(""));
    }

    @Test
    void aNameThatBeginsLikeAByteOrderMarkIsKept() {
        assertThat(csv("Ａ,ﻀ\n").header()).containsExactly("Ａ", "ﻀ");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "``|line 1, column 1: expected a header line but found the end of the input",
                "a,b;1|line 2, column 1: expected 2 fields as in the header but found 1 field",
                "a,b;;|line 2, column 1: expected 2 fields as in the header but found an empty line",
                "a,b;1,2;1,2,3|line 3, column 1: expected 2 fields as in the header but found more",
                "a,b,a;|line 1, column 1: expected each column name once but found 'a' again",
                "a;x\"y|line 2, column 2: expected "
                        + "no quote in a field without quotes (quote the field, double the quote) but found '\"'",
                "a;\"x\"y|line 2, column 4: expected "
                        + "a delimiter or the end of the line after the closing quote but found 'y'",
                "a;\"x;;|line 2, column 2: expected "
                        + "a closing quote for the field that begins here but found the end of the input",
                "a;x^y|line 2, column 3: expected a line feed after the carriage return but found 'y'",
            })
    void errorsSayWhereAndWhat(String text, String sentence) {
        // CsvSource would take line breaks for its own, so ';' and '^' stand for LF and CR.
        assertThatThrownBy(() -> rows(csv(text.replace(';', '\n').replace('^', '\r'))))
                .isExactlyInstanceOf(StokerException.class)
                .hasMessage("[t.csv] " + sentence);
    }

    @Test
    void unknownColumnsListTheKnown() {
        assertThatThrownBy(() -> csv("path,label\n").column("labels"))
                .hasMessage("[t.csv] line 1, column 1: expected a column 'labels' but found only path, label");
    }

    @Test
    void refusesInvalidUtf8() {
        byte[] bytes = "a,b\n1,x\n".getBytes(StandardCharsets.UTF_8);
        bytes[6] = (byte) 0xE4;
        assertThatThrownBy(() -> rows(DelimitedReader.csv(new ByteArrayInputStream(bytes), "t.csv")))
                .hasMessage("[t.csv] line 2, column 3: expected UTF-8 but found byte 0xE4 at byte 1 of this text");
    }

    @Test
    void columnsAreLimited() {
        assertThatThrownBy(() -> csv(",".repeat(1 << 20)).header())
                .hasMessage("[t.csv] line 1, column 1: expected at most 65536 fields but found more");
    }

    @Test
    void fieldsMayCrossTheBuffer() {
        for (int before = (1 << 16) - 20; before < (1 << 16) + 5; before++) {
            String padding = "x".repeat(before);
            var reader = csv("a,b\n" + padding + ",\"" + padding + "\"\"\r\n\"\"€\"\r\n1,2\r\n");
            assertThat(rows(reader)).containsExactly(List.of(padding, padding + "\"\r\n\"€"), List.of("1", "2"));
        }
    }

    @Test
    void pipesHaveBlanksAroundFieldsAndPlainQuotes() {
        String table = "a| b |c\n1| say \"hi\" | \"x\"\n\" q|\"\"\"|2|\n";
        try (var reader =
                DelimitedReader.piped(new ByteArrayInputStream(table.getBytes(StandardCharsets.UTF_8)), "t.csv")) {
            assertThat(reader.header()).containsExactly("a", "b", "c");
            assertThat(reader.next()).isTrue();
            assertThat(reader.row()).containsExactly("1", "say \"hi\"", "\"x\"");
            assertThat(reader.next()).isTrue();
            assertThat(reader.row()).containsExactly(" q|\"", "2", "");
            assertThat(reader.next()).isFalse();
        }
    }
}
