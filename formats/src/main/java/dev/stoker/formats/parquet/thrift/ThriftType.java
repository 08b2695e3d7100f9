package dev.stoker.formats.parquet.thrift;

/** The types of Thrift's compact protocol. */
public final class ThriftType {
    static final int STOP = 0;
    public static final int TRUE = 1;
    static final int FALSE = 2;
    static final int I8 = 3;
    static final int I16 = 4;
    public static final int I32 = 5;
    public static final int I64 = 6;
    static final int DOUBLE = 7;
    public static final int BINARY = 8;
    static final int LIST = 9;
    static final int SET = 10;
    static final int MAP = 11;
    public static final int STRUCT = 12;
    static final int UUID = 13;

    private ThriftType() {}
}
