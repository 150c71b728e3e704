package dev.laurel.processors.core.rules;

import dev.laurel.schemas.ruleset.Achievement;
import dev.laurel.schemas.ruleset.Attribute;
import dev.laurel.schemas.ruleset.Boost;
import dev.laurel.schemas.ruleset.Leaderboard;
import dev.laurel.schemas.ruleset.Level;
import dev.laurel.schemas.ruleset.Metric;
import dev.laurel.schemas.ruleset.Notifications;
import dev.laurel.schemas.ruleset.ObjectIdentity;
import dev.laurel.schemas.ruleset.PointsSystem;
import dev.laurel.schemas.ruleset.PointsTrigger;
import dev.laurel.schemas.ruleset.Ruleset;
import dev.laurel.schemas.ruleset.Template;
import dev.laurel.schemas.ruleset.Webhook;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BinaryOperator;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Replaces objects and lists of a document by equal ones of another version of the same ruleset. Since an edit changes few of
 * them, a version then takes some kilobytes, and equality of parts of two versions is mostly identity. Used for one document.
 */
final class ObjectSharing {

    /** A document with empty lists, its compiled form, and their places in the cache. */
    private static final int DOCUMENT_BYTES = 2_048;

    /** A reference in a list of the document, and one in a compiled list. */
    private static final int REFERENCE_BYTES = 8;

    /** Of a character in the text form of an object: the object has the same texts, and references where the text has names. */
    private static final int BYTES_PER_CHARACTER = 2;

    private long ownBytes = DOCUMENT_BYTES;

    /** The estimated memory of what is not shared. */
    long ownBytes() {
        return ownBytes;
    }

    /** @param other null: there is no other version */
    Ruleset share(Ruleset own, @Nullable Ruleset other) {
        Ruleset from = other == null ? Ruleset.empty(own.tenant()) : other;
        return new Ruleset(own.tenant(), own.version(), own.published(), own.nextNumber(),
                list(own.metrics(), from.metrics(), Metric::number),
                list(own.attributes(), from.attributes(), Attribute::number),
                list(own.achievements(), from.achievements(), Achievement::number), part(own.streak(), from.streak()),
                list(own.pointsSystems(), from.pointsSystems(), PointsSystem::number, this::system),
                list(own.leaderboards(), from.leaderboards(), Leaderboard::number),
                part(own.settings(), from.settings()), list(own.webhooks(), from.webhooks(), Webhook::number),
                notifications(own.notifications(), from.notifications()),
                list(own.retired(), from.retired(), ObjectIdentity::number), own.author());
    }

    private <T> T part(T own, T other) {
        return own.equals(other) ? other : counted(own);
    }

    private <T> T counted(T own) {
        ownBytes += (long) BYTES_PER_CHARACTER * own.toString().length();
        return own;
    }

    private Notifications notifications(Notifications own, Notifications other) {
        return own.equals(other)
                ? other
                : new Notifications(list(own.templates(), other.templates(), Template::number),
                        part(own.timing(), other.timing()), part(own.sender(), other.sender()));
    }

    private PointsSystem system(PointsSystem own, PointsSystem other) {
        ownBytes += DOCUMENT_BYTES;
        return new PointsSystem(own.number(), own.id(), own.key(), own.name(), own.description(), own.badgeUrl(),
                own.maxPoints(), own.levelAt(), list(own.levels(), other.levels(), Level::number),
                list(own.boosts(), other.boosts(), Boost::number),
                list(own.triggers(), other.triggers(), PointsTrigger::number));
    }

    private <T> List<T> list(List<T> own, List<T> others, ToIntFunction<T> numberOf) {
        return list(own, others, numberOf, (object, _) -> counted(object));
    }

    /** @param changed makes an object that differs from the other one of the same number share its parts */
    private <T> List<T> list(List<T> own, List<T> others, ToIntFunction<T> numberOf, BinaryOperator<T> changed) {
        if (own == others) {
            return others;
        }
        boolean areSame = own.size() == others.size();
        var shared = new ArrayList<T>(own.size());
        Map<Integer, T> byNumber = null;
        for (int i = 0; i < own.size(); i++) {
            T object = own.get(i);
            T other = i < others.size() ? others.get(i) : null;
            if (other == null || numberOf.applyAsInt(other) != numberOf.applyAsInt(object)) {
                areSame = false;
                byNumber = byNumber == null ? byNumber(others, numberOf) : byNumber;
                other = byNumber.get(numberOf.applyAsInt(object));
            }
            if (object.equals(other)) {
                shared.add(other);
            } else {
                areSame = false;
                shared.add(other == null ? counted(object) : changed.apply(object, other));
            }
        }
        if (areSame) {
            return others;
        }
        ownBytes += (long) REFERENCE_BYTES * own.size();
        return List.copyOf(shared);
    }

    private static <T> Map<Integer, T> byNumber(List<T> objects, ToIntFunction<T> numberOf) {
        var byNumber = new HashMap<Integer, T>();
        objects.forEach(object -> byNumber.put(numberOf.applyAsInt(object), object));
        return byNumber;
    }
}
