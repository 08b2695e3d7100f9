package dev.stoker.order;

import dev.stoker.PublicApi;
import dev.stoker.StokerException;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * Some samples of a dataset, each once an epoch.
 *
 * @param samples which
 * @param order their order, of as many samples as the subset has: what it calls sample i is the i-th of the subset
 */
@PublicApi
public record Subset(RangeSet samples, Order order) implements SampleView {
    public Subset {
        if (samples.count() != order.size()) {
            throw new StokerException(
                    "the order of a subset should be of its " + samples.count() + " samples but is of " + order.size());
        }
    }

    @Override
    public long size() {
        return order.size();
    }

    @Override
    public int datasets() {
        return 1;
    }

    @Override
    public String name() {
        CRC32C crc = new CRC32C();
        ByteBuffer bounds = ByteBuffer.allocate(2 * Long.BYTES);
        for (int i = 0; i < samples.rangeCount(); i++) {
            crc.update(bounds.clear()
                    .putLong(samples.from(i))
                    .putLong(samples.to(i))
                    .flip());
        }
        return order.name() + " of subset crc32c=%08x".formatted(crc.getValue());
    }

    @Override
    public SampleRef at(long seed, long epoch, long position) {
        return new SampleRef(0, samples.nth(order.at(seed, epoch, position)));
    }

    @Override
    public Places epoch(long seed, long epoch) {
        Permutation permutation = order.epoch(seed, epoch);
        return position -> new SampleRef(0, samples.nth(permutation.at(position)));
    }
}
