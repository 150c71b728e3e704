package dev.laurel.deploy.tools.doctor;

import dev.laurel.deploy.tools.doctor.Facts.DirectoryFacts;
import dev.laurel.deploy.tools.doctor.Facts.ServerFacts;
import dev.laurel.deploy.tools.doctor.Facts.ServerFacts.RulesetFacts;
import dev.laurel.schemas.kind.IssueList.Issue;
import dev.laurel.schemas.wire.KeyBody.AdminKeyBody;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Checks of the processes over HTTP, and of the data directory on this machine. */
final class ServerChecks {

    private static final String UNLIMITED_KEY = "give a key that is bound to no tenant, with --key";
    private static final int OK = 200;
    private static final Duration UNUSED = Duration.ofDays(90);
    private static final long MIB = 1024 * 1024;
    private static final long SPACE_WARN_BYTES = 2_048 * MIB;
    private static final long SPACE_FAIL_BYTES = 256 * MIB;
    private static final int SPACE_WARN_PERCENT = 10;

    private ServerChecks() {}

    /** Checks that processes answer, are ready, and accept the admin key. */
    static void servers(Facts facts, Findings findings) {
        facts.servers().forEach(server -> checkServer(server, findings));
    }

    private static void checkServer(ServerFacts server, Findings findings) {
        String url = server.url();
        if (server.emailsWithheld() > 0) {
            findings.fail(
                    url,
                    "withholds emails, because they would have no link to unsubscribe",
                    "restart it with --public-url URL: where browsers reach the ingress");
        }
        if (server.unreachable() != null) {
            findings.fail(
                    url,
                    "cannot be reached: " + server.unreachable(),
                    "start the process, or give its address with --url");
        } else if (server.health() != OK) {
            findings.fail(
                    url,
                    "answers " + server.health() + " to /healthz",
                    "check that this is the address of Laurel; if it is, restart the process and see its log");
        } else if (server.ready() != OK) {
            findings.fail(
                    url,
                    "is not ready: answers " + server.ready() + " to /readyz",
                    "wait while it restores state, as its /metrics show; otherwise see its log");
        } else {
            switch (server.keyStatus()) {
                case 401 ->
                    findings.fail(
                            url,
                            "does not accept the admin key",
                            "give the right one with --key; if it was revoked, restart once with --admin-key and a new"
                                    + " one");
                case 403 -> findings.fail(url, "refuses the key: " + server.keyRefusal(), UNLIMITED_KEY);
                case 0 ->
                    findings.warn(
                            url,
                            "is ready; nothing else was checked, because there is no admin key",
                            "give --key KEY, or --data-dir of a standalone");
                default -> {
                    if (server.keyRefusal() == null) {
                        findings.ok(url, "is ready and accepts the admin key");
                    } else {
                        findings.warn(
                                url,
                                "is ready; the admin keys were not checked: " + server.keyRefusal(),
                                UNLIMITED_KEY);
                    }
                }
            }
        }
    }

    /**
     * Checks that all nodes use the same version of the ruleset, and that the present validation rules find no issues
     * in it.
     */
    static void rulesets(Facts facts, Findings findings) {
        var urlsByVersion = new TreeMap<Long, List<String>>();
        RulesetFacts newest = null;
        for (ServerFacts node : facts.servers()) {
            RulesetFacts ruleset = node.ruleset();
            if (ruleset != null) {
                urlsByVersion
                        .computeIfAbsent(ruleset.version(), _ -> new ArrayList<>())
                        .add(node.url());
                newest = newest == null || ruleset.version() > newest.version() ? ruleset : newest;
            }
        }
        if (newest == null) {
            return;
        }
        if (urlsByVersion.size() > 1) {
            findings.fail(
                    "",
                    urlsByVersion.entrySet().stream()
                            .map(version ->
                                    "version " + version.getKey() + " at " + String.join(", ", version.getValue()))
                            .collect(Collectors.joining("; ")),
                    "restart the nodes with the older one: they no longer follow laurel.rulesets");
        }
        String url = urlsByVersion.lastEntry().getValue().getFirst();
        for (Issue issue : newest.issues()) {
            findings.warn(
                    issue.path(),
                    issue.message(),
                    "deploy/laurel ruleset export --url " + url
                            + " -o laurel.yaml, correct it, deploy/laurel ruleset apply laurel.yaml --url " + url);
        }
        if (findings.count() == 0 && newest.version() == 0) {
            findings.warn(
                    "",
                    "there is none yet: every event is refused",
                    "deploy/laurel ruleset apply deploy/examples/swimming.yaml --url " + url);
        }
        int nodes = urlsByVersion.lastEntry().getValue().size();
        findings.okIfNone(
                "", "version " + newest.version() + " at " + (nodes == 1 ? "the node" : "all " + nodes + " nodes"));
    }

    /** Checks that no admin key can be guessed and that each is in use, because admin keys permit everything. */
    static void keys(Facts facts, Findings findings) {
        if (facts.key() != null && facts.key().isGuessable()) {
            findings.fail(
                    facts.key().prefix(),
                    "the admin key can be guessed",
                    "start every process with a random one: --admin-key \"$(openssl rand -hex 4).$(openssl rand -hex"
                            + " 24)\"");
        }
        for (ServerFacts node : facts.servers()) {
            if (node.keys() != null) {
                node.keys().forEach(key -> checkKey(key, node.url(), facts.at(), findings));
                findings.okIfNone("", node.keys().size() + " admin keys, none unused for " + UNUSED.toDays() + " days");
                return;
            }
        }
    }

    private static void checkKey(AdminKeyBody key, String url, Instant now, Findings findings) {
        Instant last = key.lastUsed() == null ? key.created() : key.lastUsed();
        Duration unused = Duration.between(last, now);
        if ("active".equals(key.status()) && unused.compareTo(UNUSED) > 0) {
            findings.warn(
                    key.prefix() + " (" + key.name() + ")",
                    key.lastUsed() == null
                            ? "was created " + unused.toDays() + " days ago and never used"
                            : "was last used " + unused.toDays() + " days ago",
                    "curl -X DELETE -H \"X-API-KEY: $KEY\" '" + url + "/admin/v1/admin-api-keys?ids=" + key.id() + "'");
        }
    }

    /** Checks that the data directory has free space and belongs to its user alone. */
    static void directory(Facts facts, Findings findings) {
        DirectoryFacts directory = facts.directory();
        if (directory == null) {
            return;
        }
        String takeOver = "sudo chown -R " + directory.user() + " " + directory.path();
        if (directory.owner() != null && !directory.owner().equals(directory.user())) {
            findings.warn(
                    directory.path(),
                    "belongs to " + directory.owner() + ", this runs as " + directory.user(),
                    "run Laurel as " + directory.owner() + ", or: " + takeOver);
        }
        if (!directory.isWritable()) {
            findings.fail(directory.path(), "cannot be written by " + directory.user(), takeOver);
        }
        checkSpace(directory, findings);
        if (directory.openKey() != null) {
            findings.fail(
                    directory.openKey(),
                    "other users of this machine can read the admin key",
                    "chmod 600 " + directory.openKey() + ", and replace the key with --admin-key");
        }
        findings.okIfNone(directory.path(), directory.freeBytes() / MIB + " MiB free");
    }

    private static void checkSpace(DirectoryFacts directory, Findings findings) {
        String message = directory.freeBytes() / MIB + " MiB of " + directory.totalBytes() / MIB + " are free";
        String fix = "free some space, or move it to a larger disk: a process that cannot write its state stops";
        if (directory.freeBytes() < SPACE_FAIL_BYTES) {
            findings.fail(directory.path(), message, fix);
        } else if (directory.freeBytes() < SPACE_WARN_BYTES
                || directory.freeBytes() * 100 / Math.max(1, directory.totalBytes()) < SPACE_WARN_PERCENT) {
            findings.warn(directory.path(), message, fix);
        }
    }
}
