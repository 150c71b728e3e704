package dev.laurel.schemas.admin;

import dev.laurel.schemas.command.BadInputException;
import dev.laurel.schemas.ruleset.Ruleset;
import java.util.Map;

/**
 * How the admin API sees one of the singletons: which part of the source its fields change. What may stand in a field beyond
 * its type, the validator and the editor of rulesets judge afterwards. Stateless.
 */
interface SettingsForm {

    /**
     * Changes the fields that are given; null counts as not given where the contract does not let it clear.
     *
     * @param access for what is secret or concerns the whole instance, and so is no part of the source
     */
    void patch(SourceDraft draft, AccessDraft access, Item item) throws BadInputException;

    /** JSON pointer of its part of the source: issues below it are about its fields. */
    String place();

    /** How fields of the source are called in the admin API, where the names differ. */
    default Map<String, String> fieldNames() {
        return Map.of();
    }

    /** All of it, defaults filled in, to be written as JSON. @param access which secrets there are, but none of them is shown */
    Object body(Ruleset ruleset, AccessDraft access);
}
