package dev.stoker.image;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.StringWriter;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.tools.JavaCompiler;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the docs show in Java compiles. */
class DocsExampleTest {
    private static final Pattern EXAMPLE = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);

    @TempDir
    private Path classes;

    @Test
    void theExamplesOfTheImagePageCompile() throws Exception {
        Matcher examples = EXAMPLE.matcher(Files.readString(Path.of("../docs/how-to/images.md")));
        int found = 0;
        while (examples.find()) {
            compile("Example" + found++, examples.group(1));
        }
        assertThat(found).isPositive();
    }

    private void compile(String name, String body) {
        String source =
                "import dev.stoker.dataset.*;\nimport dev.stoker.feed.*;\nimport dev.stoker.image.*;\nimport java.lang.foreign.*;\n"
                        + "import java.nio.file.*;\nclass " + name + " { void run() throws Exception {\n" + body
                        + "\n} }\n";
        var file =
                new SimpleJavaFileObject(URI.create("string:///" + name + ".java"), SimpleJavaFileObject.Kind.SOURCE) {
                    @Override
                    public CharSequence getCharContent(boolean ignoreEncodingErrors) {
                        return source;
                    }
                };
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        var messages = new StringWriter();
        List<String> options =
                List.of("-proc:none", "-d", classes.toString(), "-cp", System.getProperty("java.class.path"));
        boolean compiled = compiler.getTask(messages, null, null, options, null, List.of(file))
                .call();
        assertThat(compiled).as(messages + "\n" + source).isTrue();
    }
}
