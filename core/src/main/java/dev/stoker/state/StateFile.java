package dev.stoker.state;

import dev.stoker.PublicApi;
import dev.stoker.StokerException;
import dev.stoker.io.MappedFile;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Map;

/**
 * A safetensors file, mapped. Its segments may be used by any thread until it is closed.
 *
 * <pre>
 *   try (StateFile state = StateFile.open(path)) {
 *       MemorySegment weights = state.values("model.layers.0.weight");
 *       float first = weights.get(ValueLayout.JAVA_FLOAT_UNALIGNED, 0);
 *   }
 * </pre>
 */
@PublicApi
public final class StateFile implements AutoCloseable {
    /** The ending of the names of such files. */
    public static final String ENDING = ".safetensors";

    private final MappedFile file;
    private final StateLayout layout;

    private StateFile(MappedFile file, StateLayout layout) {
        this.file = file;
        this.layout = layout;
    }

    /** Opens a file by anybody; every place in it is checked. */
    public static StateFile open(Path path) {
        return open(MappedFile.open(path));
    }

    /** The same with what is mapped already; it is closed with the state, or at once if it is none. */
    public static StateFile open(MappedFile file) {
        try {
            return new StateFile(file, StateLayout.read(file));
        } catch (RuntimeException e) {
            file.close();
            throw e;
        }
    }

    /** All tensors, in the order of the header. */
    public List<Tensor> tensors() {
        return layout.places().values().stream().map(StateLayout.Place::tensor).toList();
    }

    /** Texts that the file has beside tensors. */
    public Map<String, String> metadata() {
        return Collections.unmodifiableMap(layout.metadata());
    }

    public Tensor tensor(String name) {
        return place(name).tensor();
    }

    /** The values of a tensor where they lie in the file. */
    public MemorySegment values(String name) {
        StateLayout.Place place = place(name);
        return file.bytes().asSlice(place.begin(), place.tensor().bytes());
    }

    private StateLayout.Place place(String name) {
        StateLayout.Place place = layout.places().get(name);
        if (place == null) {
            throw new StokerException(
                    file.path(),
                    "has no tensor '" + name + "'; it has "
                            + layout.places().size() + ", such as "
                            + layout.places().keySet().stream().limit(5).toList());
        }
        return place;
    }

    @Override
    public void close() {
        file.close();
    }
}
