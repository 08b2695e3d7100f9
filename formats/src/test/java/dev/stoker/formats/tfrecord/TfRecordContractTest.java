package dev.stoker.formats.tfrecord;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stoker.StokerException;
import dev.stoker.container.Container;
import dev.stoker.container.Sidecar;
import dev.stoker.format.Format;
import dev.stoker.sample.Field;
import dev.stoker.sample.FieldType;
import dev.stoker.sample.Schema;
import dev.stoker.testkit.FormatContract;
import dev.stoker.testkit.MemorySamples;
import dev.stoker.testkit.Same;
import dev.stoker.testkit.Workshop;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class TfRecordContractTest extends FormatContract {
    @Override
    protected Format format() {
        return new TfRecordFormat();
    }

    /** An example has no types but bytes, int64 and float: only the sidecar knows what else a field is. */
    @Override
    public boolean isHeldByTheContainer(Field field) {
        return field.name().equals(Field.DATA) && field.type() instanceof FieldType.Bytes;
    }

    @Override
    public long hugeBytes() {
        return 0;
    }

    /** A file that ends between two records is a whole one, for everybody: then the records before are right. */
    @Test
    @Override
    public void everyTruncationIsNoticedWithoutSidecar() {
        Workshop shop = workshop();
        var schema = new Schema(
                List.of(new Field(Field.KEY, new FieldType.Text()), new Field(Field.DATA, new FieldType.Bytes())));
        MemorySamples samples = shop.randomSamples().next(schema, 6);
        byte[] whole = Workshop.read(shop.pack(samples, "whole"));
        Path cut = shop.place("cut");
        long opened = 0;
        for (int size = 0; size < whole.length; size++) {
            Workshop.delete(Sidecar.beside(cut));
            Workshop.write(cut, Arrays.copyOf(whole, size));
            try (Container container = shop.open(cut)) {
                assertThat(container.count()).isEqualTo(opened++);
                for (long i = 0; i < container.count(); i++) {
                    int data = container.schema().place(Field.DATA);
                    assertThat(Same.bytes(container, i, data)).isEqualTo(samples.bytes(i, 1));
                }
            } catch (StokerException e) {
                assertThat(e).hasMessageContaining("[cut.tfrecord]");
            }
        }
        assertThat(opened).isEqualTo(samples.count());
    }
}
