package dev.laurel.deploy.tools.doctor;

import dev.laurel.deploy.tools.doctor.Finding.Status;
import java.util.List;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;

final class DirectoryCheckTest {

    private static final long GIB = 1024L * 1024 * 1024;
    private static final String FIX = "make room, or move it to a larger disk: a process that cannot write its state stops";

    private final Deployment deployment = new Deployment();

    private void directory(String owner, boolean isWritable, long freeBytes, String openKey) {
        deployment.directory = new Facts.DirectoryFacts("/data", owner, "laurel", isWritable, freeBytes, 100 * GIB,
                openKey);
    }

    @Test
    void shouldAcceptADirectoryWithRoom() {
        directory("laurel", true, 50 * GIB, null);

        deployment.expectOk(new ServerChecks.DirectoryCheck(), "51200 MiB free");
    }

    @Test
    void shouldSayNothingOfNone() {
        assertEquals(List.of(), deployment.judgedBy(new ServerChecks.DirectoryCheck()));
    }

    @Test
    void shouldWarnWhenItGetsTight() {
        directory("laurel", true, 9 * GIB, null);

        deployment.expectOnly(new ServerChecks.DirectoryCheck(), Status.warn, "/data", "9216 MiB of 102400 are free",
                FIX);
    }

    @Test
    void shouldFailWhenNothingIsLeft() {
        directory("laurel", true, GIB / 8, null);

        deployment.expectOnly(new ServerChecks.DirectoryCheck(), Status.fail, "/data", "128 MiB of 102400 are free",
                FIX);
    }

    @Test
    void shouldWarnOfAnotherOwner() {
        directory("root", true, 50 * GIB, null);

        deployment.expectOnly(new ServerChecks.DirectoryCheck(), Status.warn, "/data",
                "belongs to root, this runs as laurel",
                "run Laurel as root, or: sudo chown -R laurel /data");
    }

    @Test
    void shouldFailWhereNothingCanBeWritten() {
        directory("laurel", false, 50 * GIB, null);

        deployment.expectOnly(new ServerChecks.DirectoryCheck(), Status.fail, "/data", "cannot be written by laurel",
                "sudo chown -R laurel /data");
    }

    @Test
    void shouldFailWhereOthersCanReadTheKey() {
        directory("laurel", true, 50 * GIB, "/data/admin-key");

        deployment.expectOnly(new ServerChecks.DirectoryCheck(), Status.fail, "/data/admin-key",
                "others on this machine can read the admin key",
                "chmod 600 /data/admin-key, and give it a new one with --admin-key");
    }
}
