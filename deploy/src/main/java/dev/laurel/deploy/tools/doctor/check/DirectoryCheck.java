package dev.laurel.deploy.tools.doctor.check;

import dev.laurel.deploy.tools.doctor.Check;
import dev.laurel.deploy.tools.doctor.Finding;
import dev.laurel.deploy.tools.doctor.facts.DirectoryFacts;
import dev.laurel.deploy.tools.doctor.facts.Facts;
import java.util.ArrayList;
import java.util.List;

/** The directory of a process on this machine: there is room, and it is its user's alone. */
public final class DirectoryCheck implements Check {

    private static final String NAME = "directory";
    private static final long MIB = 1024 * 1024;
    private static final long WARN_BYTES = 2_048 * MIB;
    private static final long FAIL_BYTES = 256 * MIB;
    private static final int WARN_PERCENT = 10;

    @Override
    public List<Finding> judge(Facts facts) {
        DirectoryFacts directory = facts.directory();
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

    private static void room(DirectoryFacts directory, List<Finding> findings) {
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
