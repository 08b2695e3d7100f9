package dev.stoker.formats.folder;

import dev.stoker.format.Format;
import dev.stoker.testkit.FormatContract;

class FolderContractTest extends FormatContract {
    @Override
    protected Format format() {
        return new FolderFormat();
    }
}
