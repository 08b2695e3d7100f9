package dev.stoker.formats.hdf5;

import dev.stoker.formats.Scripts;

/** Runs scripts with h5py. */
final class H5py {
    private static final Scripts SCRIPTS = new Scripts("hdf5.txt");

    private H5py() {}

    static String[] run(String script, Object... arguments) {
        return SCRIPTS.run(script, arguments);
    }

    static String[] runText(String script, Object... arguments) {
        return SCRIPTS.runText(script, arguments);
    }
}
