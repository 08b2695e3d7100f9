package dev.stoker.fuzz;

import dev.stoker.CorruptContainerException;
import dev.stoker.StokerException;
import dev.stoker.container.Container;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Which bytes a checksum of HDF5 covers only a reader knows. So the reader is asked: it says which checksum it wants and
 * what it found, and that is put right.
 */
final class Hdf5Signer {
    private static final Pattern WRONG = Pattern.compile("should have the checksum ([0-9a-f]+) but has ([0-9a-f]+);");
    private static final int MOST = 4;

    private final Memory memory = new Memory();

    void sign(byte[] input) {
        for (int n = 0; n < MOST; n++) {
            try (Container ignored = Container.openAnew(memory.file("h5", input), "hdf5")) {
                return;
            } catch (CorruptContainerException e) {
                Matcher wrong = WRONG.matcher(String.valueOf(e.getMessage()));
                if (!wrong.find() || !replace(input, wrong)) {
                    return;
                }
            } catch (StokerException e) {
                return;
            } catch (RuntimeException | Error e) {
                return; // for the target to tell
            }
        }
    }

    private static boolean replace(byte[] input, Matcher wrong) {
        int written = Integer.parseUnsignedInt(wrong.group(1), 16);
        ByteBuffer bytes = ByteBuffer.wrap(input).order(ByteOrder.LITTLE_ENDIAN);
        for (int at = 0; at + 4 <= input.length; at++) {
            if (bytes.getInt(at) == written) {
                bytes.putInt(at, Integer.parseUnsignedInt(wrong.group(2), 16));
                return true;
            }
        }
        return false;
    }
}
