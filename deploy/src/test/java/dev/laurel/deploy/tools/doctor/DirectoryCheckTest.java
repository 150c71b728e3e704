package dev.laurel.deploy.tools.doctor;

import dev.laurel.deploy.tools.doctor.Findings.Finding.Status;
import java.util.List;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;

final class DirectoryCheckTest {

    private static final long GIB = 1024L * 1024 * 1024;
    private static final String FIX = "free some space, or move it to a larger disk: a process that cannot write its state stops";

    private final Deployment deployment = new Deployment();

    private void directory(String owner, boolean isWritable, long freeBytes, String openKey) {
        deployment.directory = new Facts.DirectoryFacts("/data", owner, "laurel", isWritable, freeBytes, 100 * GIB,
                openKey);
    }

    @Test
    void shouldAcceptDirectoryWithFreeSpace() {
        directory("laurel", true, 50 * GIB, null);

        deployment.expectOk(ServerChecks::directory, "51200 MiB free");
    }

    @Test
    void shouldReturnNothingWithoutDirectory() {
        assertEquals(List.of(), deployment.findingsOf(ServerChecks::directory));
    }

    @Test
    void shouldWarnIfSpaceIsLow() {
        directory("laurel", true, 9 * GIB, null);

        deployment.expectOnly(ServerChecks::directory, Status.warn, "/data", "9216 MiB of 102400 are free",
                FIX);
    }

    @Test
    void shouldFailIfSpaceIsExhausted() {
        directory("laurel", true, GIB / 8, null);

        deployment.expectOnly(ServerChecks::directory, Status.fail, "/data", "128 MiB of 102400 are free",
                FIX);
    }

    @Test
    void shouldWarnIfOwnerDiffers() {
        directory("root", true, 50 * GIB, null);

        deployment.expectOnly(ServerChecks::directory, Status.warn, "/data",
                "belongs to root, this runs as laurel",
                "run Laurel as root, or: sudo chown -R laurel /data");
    }

    @Test
    void shouldFailIfDirectoryIsNotWritable() {
        directory("laurel", false, 50 * GIB, null);

        deployment.expectOnly(ServerChecks::directory, Status.fail, "/data", "cannot be written by laurel",
                "sudo chown -R laurel /data");
    }

    @Test
    void shouldFailIfOthersCanReadKey() {
        directory("laurel", true, 50 * GIB, "/data/admin-key");

        deployment.expectOnly(ServerChecks::directory, Status.fail, "/data/admin-key",
                "other users of this machine can read the admin key",
                "chmod 600 /data/admin-key, and replace the key with --admin-key");
    }
}
