package dev.laurel.deploy.tools.doctor.check;

import dev.laurel.deploy.tools.doctor.Check;
import dev.laurel.deploy.tools.doctor.Finding;
import dev.laurel.deploy.tools.doctor.facts.Facts;
import dev.laurel.deploy.tools.doctor.facts.ServerFacts;
import dev.laurel.schemas.wire.AdminKeyBody;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;

/** Admin keys open everything: none that can be guessed, and none that nobody uses. */
public final class KeysCheck implements Check {

    private static final String NAME = "keys";
    private static final Duration UNUSED = Duration.ofDays(90);

    private final InstantSource clock;

    public KeysCheck(InstantSource clock) {
        this.clock = clock;
    }

    @Override
    public List<Finding> judge(Facts facts) {
        var findings = new ArrayList<Finding>();
        if (facts.key() != null && facts.key().isGuessable()) {
            findings.add(Finding.fail(NAME, facts.key().prefix(), "the admin key can be guessed",
                    "start every process with a random one: --admin-key \"$(openssl rand -hex 4).$(openssl rand -hex 24)\""));
        }
        ServerFacts node = facts.servers().stream().filter(server -> server.keys() != null).findFirst().orElse(null);
        if (node == null) {
            return findings;
        }
        Instant now = clock.instant();
        for (AdminKeyBody key : node.keys()) {
            Instant last = key.lastUsed() == null ? key.created() : key.lastUsed();
            boolean isOpen = "active".equals(key.status());
            if (isOpen && Duration.between(last, now).compareTo(UNUSED) > 0) {
                findings.add(Finding.warn(NAME, key.prefix() + " (" + key.name() + ")",
                        key.lastUsed() == null
                                ? "was made " + days(last, now) + " days ago and never used"
                                : "was last used " + days(last, now) + " days ago",
                        "curl -X DELETE -H \"X-API-KEY: $KEY\" '" + node.url() + "/admin/v1/admin-api-keys?ids="
                                + key.id()
                                + "'"));
            }
        }
        if (findings.isEmpty()) {
            findings.add(Finding.ok(NAME, "", node.keys().size() + " admin keys, none without use for "
                    + UNUSED.toDays() + " days"));
        }
        return findings;
    }

    private static long days(Instant from, Instant to) {
        return Duration.between(from, to).toDays();
    }
}
