package dev.laurel.deploy.tools.doctor;

import dev.laurel.schemas.kind.Issue;
import dev.laurel.schemas.wire.KeyBody.AdminKeyBody;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Checks of the processes over HTTP, and of the data directory on this machine. */
final class ServerChecks {

    private ServerChecks() {}

    /** Checks that processes answer, are ready, and accept the admin key. */
    public static final class ServersCheck implements Diagnosis.Check {

        private static final String NAME = "servers";
        private static final int OK = 200;

        @Override
        public List<Finding> judge(Facts facts) {
            return facts.servers().stream().map(ServersCheck::judge).toList();
        }

        private static Finding judge(Facts.ServerFacts server) {
            if (server.unreachable() != null) {
                return Finding.fail(NAME, server.url(), "cannot be reached: " + server.unreachable(),
                        "start the process, or give its address by --url");
            }
            if (server.health() != OK) {
                return Finding.fail(NAME, server.url(), "answers " + server.health() + " to /healthz",
                        "is that the address of Laurel? Else restart the process and see its log");
            }
            if (server.ready() != OK) {
                return Finding.fail(NAME, server.url(), "is not ready: answers " + server.ready() + " to /readyz",
                        "wait while it restores, as its /metrics show; else see its log");
            }
            return switch (server.keyStatus()) {
                case 401 -> Finding.fail(NAME, server.url(), "does not accept the admin key",
                        "give the right one by --key; if it was revoked, restart once with --admin-key and a new one");
                case 403 -> Finding.fail(NAME, server.url(), "knows the key, but not as an admin key",
                        "give an admin key by --key");
                case 0 -> Finding.warn(NAME, server.url(), "is ready; nothing else was asked, for want of an admin key",
                        "--key KEY, or --data-dir of a standalone");
                default -> Finding.ok(NAME, server.url(), "is ready and takes the admin key");
            };
        }
    }

    /**
     * Checks that all nodes use the same version of the ruleset, and that the present validation rules find no issues
     * in it.
     */
    public static final class RulesetsCheck implements Diagnosis.Check {

        private static final String NAME = "rulesets";

        @Override
        public List<Finding> judge(Facts facts) {
            List<Facts.ServerFacts> nodes = facts.servers().stream().filter(server -> server.ruleset() != null)
                    .toList();
            if (nodes.isEmpty()) {
                return List.of();
            }
            var findings = new ArrayList<Finding>();
            TreeMap<Long, List<String>> versions = nodes.stream().collect(Collectors.groupingBy(
                    node -> node.ruleset().version(), TreeMap::new,
                    Collectors.mapping(Facts.ServerFacts::url, Collectors.toList())));
            if (versions.size() > 1) {
                findings.add(Finding.fail(NAME, "", versions.entrySet().stream()
                        .map(version -> "version " + version.getKey() + " at " + String.join(", ", version.getValue()))
                        .collect(Collectors.joining("; ")),
                        "restart the nodes with the older one: they no longer follow laurel.rulesets"));
            }
            Facts.ServerFacts newest = nodes.stream()
                    .filter(node -> node.ruleset().version() == versions.lastKey()).findFirst()
                    .orElseThrow();
            for (Issue issue : newest.ruleset().issues()) {
                findings.add(Finding.warn(NAME, issue.path(), issue.message(),
                        "deploy/laurel ruleset export --url " + newest.url()
                                + " -o laurel.yaml, mend it, deploy/laurel ruleset apply laurel.yaml --url "
                                + newest.url()));
            }
            if (findings.isEmpty()) {
                findings.add(newest.ruleset().version() == 0
                        ? Finding.warn(NAME, "", "there is none yet: every event is refused",
                                "deploy/laurel ruleset apply deploy/examples/swimming.yaml --url " + newest.url())
                        : Finding.ok(NAME, "", "version " + newest.ruleset().version() + " at "
                                + (nodes.size() == 1 ? "the node" : "all " + nodes.size() + " nodes")));
            }
            return findings;
        }
    }

    /** Checks that no admin key can be guessed and that each is in use, because admin keys permit everything. */
    public static final class KeysCheck implements Diagnosis.Check {

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
            Facts.ServerFacts node = facts.servers().stream().filter(server -> server.keys() != null).findFirst()
                    .orElse(null);
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

    /** Checks that the data directory has free space and belongs to its user alone. */
    public static final class DirectoryCheck implements Diagnosis.Check {

        private static final String NAME = "directory";
        private static final long MIB = 1024 * 1024;
        private static final long WARN_BYTES = 2_048 * MIB;
        private static final long FAIL_BYTES = 256 * MIB;
        private static final int WARN_PERCENT = 10;

        @Override
        public List<Finding> judge(Facts facts) {
            Facts.DirectoryFacts directory = facts.directory();
            if (directory == null) {
                return List.of();
            }
            var findings = new ArrayList<Finding>();
            if (directory.owner() != null && !directory.owner().equals(directory.user())) {
                findings.add(Finding.warn(NAME, directory.path(),
                        "belongs to " + directory.owner() + ", this runs as " + directory.user(),
                        "run Laurel as " + directory.owner() + ", or: sudo chown -R " + directory.user() + " "
                                + directory.path()));
            }
            if (!directory.isWritable()) {
                findings.add(Finding.fail(NAME, directory.path(), "cannot be written by " + directory.user(),
                        "sudo chown -R " + directory.user() + " " + directory.path()));
            }
            room(directory, findings);
            if (directory.openKey() != null) {
                findings.add(Finding.fail(NAME, directory.openKey(), "others on this machine can read the admin key",
                        "chmod 600 " + directory.openKey() + ", and give it a new one with --admin-key"));
            }
            if (findings.isEmpty()) {
                findings.add(Finding.ok(NAME, directory.path(), directory.freeBytes() / MIB + " MiB free"));
            }
            return findings;
        }

        private static void room(Facts.DirectoryFacts directory, List<Finding> findings) {
            String message = directory.freeBytes() / MIB + " MiB of " + directory.totalBytes() / MIB + " are free";
            String fix = "make room, or move it to a larger disk: a process that cannot write its state stops";
            if (directory.freeBytes() < FAIL_BYTES) {
                findings.add(Finding.fail(NAME, directory.path(), message, fix));
            } else if (directory.freeBytes() < WARN_BYTES
                    || directory.freeBytes() * 100 / Math.max(1, directory.totalBytes()) < WARN_PERCENT) {
                findings.add(Finding.warn(NAME, directory.path(), message, fix));
            }
        }
    }
}
