package dev.laurel.schemas.input;

import java.time.ZoneId;
import java.time.zone.ZoneRules;
import java.time.zone.ZoneRulesProvider;
import java.util.HashMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The IANA time zones by name. Offsets such as {@code +02:00} are not accepted, because they have no daylight saving time.
 *
 * <p>The JDK leaves out some links of the tz database, and has names of its own. This class adds the links to the JDK, so that
 * {@link ZoneId#getId} returns the name that was given. The placeholder {@code Factory} is no zone: it says that none was set.
 */
public final class Zones {

    /** Links of the file {@code backward} of the tz database that the JDK leaves out, with their targets. */
    private static final Map<String, String> LINKS =
            Map.of("EST", "America/Panama", "MST", "America/Phoenix", "HST", "Pacific/Honolulu", "ROC", "Asia/Taipei");

    /** Names of the tz database that the JDK reads as an offset of zero from GMT. */
    private static final Set<String> NAMES_OF_GMT = Set.of("GMT+0", "GMT-0");

    /** Prefix of the names that the JDK has and the tz database has not. */
    private static final String OWN_OF_JDK = "SystemV/";

    private static final Map<String, ZoneId> BY_NAME = byName();

    private Zones() {}

    /** The zone of input. Returns null if the tz database has no zone or link of this name. */
    public static @Nullable ZoneId byName(String name) {
        return BY_NAME.get(name);
    }

    /** The zone of a stored name. Also accepts names that were accepted from input earlier. */
    public static ZoneId stored(String name) {
        ZoneId zone = BY_NAME.get(name);
        return zone != null ? zone : ZoneId.of(name);
    }

    private static Map<String, ZoneId> byName() {
        Set<String> known = ZoneId.getAvailableZoneIds();
        var missing = new HashMap<>(LINKS);
        missing.keySet().removeAll(known);
        if (!missing.isEmpty()) {
            ZoneRulesProvider.registerProvider(new LinkProvider(Map.copyOf(missing)));
        }
        var zones = new HashMap<String, ZoneId>();
        for (String name : ZoneId.getAvailableZoneIds()) {
            if (!name.startsWith(OWN_OF_JDK)) {
                zones.put(name, ZoneId.of(name));
            }
        }
        NAMES_OF_GMT.forEach(name -> zones.put(name, ZoneId.of("GMT")));
        return Map.copyOf(zones);
    }

    /** Provides links, with the rules of their targets. */
    private static final class LinkProvider extends ZoneRulesProvider {

        private final Map<String, String> targets;

        LinkProvider(Map<String, String> targets) {
            this.targets = targets;
        }

        @Override
        protected Set<String> provideZoneIds() {
            return targets.keySet();
        }

        @Override
        protected ZoneRules provideRules(String name, boolean forCaching) {
            return getRules(targetOf(name), forCaching);
        }

        @Override
        protected NavigableMap<String, ZoneRules> provideVersions(String name) {
            return new TreeMap<>(getVersions(targetOf(name)));
        }

        private String targetOf(String name) {
            return Objects.requireNonNull(targets.get(name), name);
        }
    }
}
