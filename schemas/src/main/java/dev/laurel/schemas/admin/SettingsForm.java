package dev.laurel.schemas.admin;

import dev.laurel.schemas.command.BadInputException;
import dev.laurel.schemas.ruleset.Ruleset;

/** How the admin API sees one of the singletons: which part of the source its fields change. Stateless. */
interface SettingsForm {

    /** Changes the fields that are given; null clears where the contract says nullable, else it counts as not given. */
    void patch(SourceDraft draft, Item item) throws BadInputException;

    /** JSON pointer of the settings in the source: issues below it are about their fields. */
    String place();

    /** What is shown of them, to be written as JSON. */
    Object body(Ruleset ruleset);
}
