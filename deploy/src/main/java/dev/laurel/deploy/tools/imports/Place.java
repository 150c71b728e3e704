package dev.laurel.deploy.tools.imports;

/**
 * How far into a source: everything up to it is done with.
 *
 * @param number of the last line or entry, from 1; 0 at the start
 * @param position where the next one begins, in the source's own units, bytes for a file
 */
record Place(long number, long position) {

    static final Place START = new Place(0, 0);
}
