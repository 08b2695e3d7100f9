package dev.stoker.format;

import dev.stoker.PublicApi;

/** What a format can do. Each one that a format declares is proven by a contract test, each other one is refused. */
@PublicApi
public enum Capability {
    WRITE("is written by Stoker"),
    PARALLEL_FILL("one container is filled by many writers at once"),
    SINGLE_FILE("a container is one file"),
    VARIABLE_LENGTH("holds samples of different lengths"),
    IN_PLACE("a sample is read where it lies in the mapped container; no file is opened for it"),
    SPLITS("holds several splits, such as train and val"),
    DUPLICATE_KEYS("holds samples with the same key"),
    KEYLESS("holds samples that have no key"),
    ANY_FIELDS("holds any fields; else samples need a field 'data' of bytes"),
    SPECIFIED("has a published specification");

    private final String meaning;

    Capability(String meaning) {
        this.meaning = meaning;
    }

    public String meaning() {
        return meaning;
    }
}
