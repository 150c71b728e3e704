package dev.laurel.deploy.tools.doctor.check;

import dev.laurel.deploy.tools.doctor.Check;
import dev.laurel.deploy.tools.doctor.Finding;
import dev.laurel.deploy.tools.doctor.facts.Facts;
import dev.laurel.deploy.tools.doctor.facts.ServerFacts;
import java.util.List;

/** Processes answer by HTTP, are ready, and take the admin key. */
public final class ServersCheck implements Check {

    private static final String NAME = "servers";
    private static final int OK = 200;

    @Override
    public List<Finding> judge(Facts facts) {
        return facts.servers().stream().map(ServersCheck::judge).toList();
    }

    private static Finding judge(ServerFacts server) {
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
