package dev.stoker.formats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.stoker.concurrent.Progress;
import dev.stoker.container.Container;
import dev.stoker.container.Sidecar;
import dev.stoker.dataset.Dataset;
import dev.stoker.format.Format;
import dev.stoker.format.FormatOptions;
import dev.stoker.formats.folder.FolderFormat;
import dev.stoker.formats.tar.TarFormat;
import dev.stoker.formats.zarr.ZarrFormat;
import dev.stoker.os.LocalSocket;
import dev.stoker.sample.DType;
import dev.stoker.sample.Field;
import dev.stoker.sample.FieldType;
import dev.stoker.sample.Schema;
import dev.stoker.testkit.MemorySamples;
import dev.stoker.testkit.Seed;
import dev.stoker.testkit.Workshop;
import dev.stoker.verify.Verifier;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Where everybody may write, an Index that another user put beside a container is passed over by all that open it. */
class PlantedIndexTest {
    private static final int SOMEBODY = 12_345;
    private static final List<String> OWN = List.of("cat", "dog");

    @RegisterExtension
    final Seed seed = new Seed();

    @TempDir
    Path folder;

    @BeforeEach
    void onlyRootCanGiveFilesAway() throws IOException {
        assumeTrue(LocalSocket.user() == 0, "only root can give files away");
        Files.setAttribute(folder, "unix:mode", 01777);
    }

    /** A container beside which another user has put the Index of one with other classes and labels. */
    private Path planted(Format format) throws IOException {
        var shop = new Workshop(format, FormatOptions.NONE, folder, seed.random());
        Path place = shop.pack(samples(OWN, 1), "own");
        Path theirs = shop.pack(samples(List.of("cow", "pig"), 0), "theirs");
        Path sidecar = Sidecar.beside(place);
        Files.copy(Sidecar.beside(theirs), sidecar, StandardCopyOption.REPLACE_EXISTING);
        Files.setAttribute(sidecar, "unix:uid", SOMEBODY);
        return place;
    }

    private static MemorySamples samples(List<String> classes, long label) {
        var fields = List.of(
                new Field(Field.KEY, new FieldType.Text()),
                new Field(Field.DATA, new FieldType.Bytes()),
                new Field(Field.LABEL, new FieldType.Scalar(DType.INT64)));
        return MemorySamples.of(new Schema(fields, classes))
                .add(classes.getFirst() + "/1.jpg", "one", label)
                .add(classes.getLast() + "/2.jpg", "two", label)
                .build();
    }

    @Test
    void aFolderIsOpenedByWhatItHolds() throws IOException {
        Path place = planted(new ZarrFormat());
        assertThat(Sidecar.isBeside(place)).isFalse();
        try (Container container = Container.open(place)) {
            assertThat(container.text(0, container.schema().place(Field.KEY))).isEqualTo("cat/1.jpg");
            assertThat(container.schema().classes()).isEqualTo(OWN);
        }
        try (Dataset dataset = Dataset.open(List.of(place.toString()))) {
            assertThat(dataset.schema().classes()).isEqualTo(OWN);
        }
    }

    @Test
    void aFolderOfSamplesIsFedAsLooseFiles() throws IOException {
        Path place = planted(new FolderFormat());
        try (Dataset dataset = Dataset.open(List.of(place.toString()))) {
            assertThat(dataset.schema().classes()).isEqualTo(OWN);
            assertThat(dataset.describe(0)).contains("cat/1.jpg");
        }
    }

    @Test
    void anIntactFileIsNotCalledDamaged() throws IOException {
        Path place = planted(new TarFormat());
        try (Container container = Container.openDamaged(place)) {
            assertThat(container.index().isPacked()).isFalse();
            assertThat(Verifier.verify(container, 1, new Progress()).isIntact()).isTrue();
        }
    }

    @Test
    void ofTheContainersOwnerItIsBelieved() throws IOException {
        Path place = planted(new TarFormat());
        Files.setAttribute(place, "unix:uid", SOMEBODY);
        assertThat(Sidecar.isBeside(place)).isTrue();
        try (Container container = Container.openDamaged(place)) {
            assertThat(container.index().isPacked()).isTrue();
        }
    }
}
