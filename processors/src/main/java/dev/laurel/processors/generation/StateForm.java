package dev.laurel.processors.generation;

import dev.laurel.schemas.topic.GenerationRecord;

/** How the stores of a generation relate to those that this release reads and writes. */
enum StateForm {

    /** There are no stores yet, so they will have the present form. */
    NONE,
    /** This release continues them. */
    PRESENT,
    /** An earlier release has written them. They are not read: the next generation folds the log anew. */
    EARLIER,
    /** A later release has written them. It has to continue them. */
    LATER;

    /**
     * The present form. A release increases it if it cannot read an entry that the release before has written to a store, a changelog
     * or {@code laurel.scores}, or if it would continue such entries in another way than a fold of the whole log does.
     */
    static final int NUMBER = 2;

    /** That of 0.1, which wrote none into the records of generations. */
    private static final int FIRST = 1;

    /** @param hasStores whether anything of the generation is stored */
    static StateForm of(GenerationRecord generation, boolean hasStores) {
        Integer stored = generation.stateForm();
        int form = stored == null ? FIRST : stored;
        if (form == NUMBER) {
            return PRESENT;
        }
        if (form > NUMBER) {
            return LATER;
        }
        return hasStores ? EARLIER : NONE;
    }
}
