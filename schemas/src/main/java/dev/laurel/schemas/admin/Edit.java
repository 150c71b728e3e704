package dev.laurel.schemas.admin;

import dev.laurel.schemas.ruleset.Ruleset;
import dev.laurel.schemas.ruleset.RulesetSource;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * A request, in {@code laurel.ruleset-edits}, to change what operators configure. The one writer takes them in their order and
 * judges each against the newest state. Ids of what is new come with it.
 *
 * <p>Items are JSON as it was sent: text, {@code BigDecimal} or another {@code Number}, {@code Boolean}, {@code List},
 * {@code Map}, null. {@link Item} reads them.
 */
public sealed interface Edit permits Edit.OfRuleset, AccessEdit {

    /** An edit of the ruleset of the tenant that it is for. */
    sealed interface OfRuleset extends Edit {}

    /**
     * The whole ruleset becomes what {@code source} says; nothing happens if it says so already.
     *
     * @param baseVersion the version that the source was made from, else the edit is refused; null: whatever is the newest
     */
    record Replace(RulesetSource source, Long baseVersion) implements OfRuleset {}

    /**
     * Adds objects.
     *
     * @param parent id of the points system they belong to, null where there is none
     */
    record Create(ObjectKind kind, UUID parent, List<NewItem> items) implements OfRuleset {}

    /** @param fields anything that is no object becomes an issue */
    record NewItem(UUID id, Object fields) {}

    /** Changes objects, each named by the {@code id} in its item. */
    record Update(ObjectKind kind, UUID parent, List<Object> items) implements OfRuleset {}

    /** Takes objects out. @param ids as they were given */
    record Delete(ObjectKind kind, UUID parent, List<String> ids) implements OfRuleset {}

    /**
     * The ruleset says again what it said in an earlier version, as far as any edit may make it say so.
     *
     * @param to that version
     * @param baseVersion as of {@link Replace}
     */
    record Rollback(Ruleset to, Long baseVersion) implements OfRuleset {}

    /** Merges fields into one of the singletons. */
    record Patch(SettingsKind kind, Map<String, Object> fields) implements OfRuleset {

        /** Without the fields, some of which are secret: this may end up in a log. */
        @Override
        public String toString() {
            return "Patch[" + kind + "]";
        }
    }

    /** Gives a webhook another secret; the one it had signs nothing any more. */
    record RotateSecret(UUID webhook) implements OfRuleset {}
}
