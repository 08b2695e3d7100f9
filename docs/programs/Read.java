import dev.stoker.container.Container;
import java.nio.file.Path;

void main(String[] files) {
    try (Container samples = Container.open(Path.of(files[0]))) {
        IO.println(samples.count() + " " + samples.value(1, samples.schema().place("data")).byteSize());
    }
}
