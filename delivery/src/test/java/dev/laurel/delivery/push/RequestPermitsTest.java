package dev.laurel.delivery.push;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.laurel.delivery.push.PushHttp.RequestPermits;
import dev.laurel.schemas.key.TenantId;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class RequestPermitsTest {

    private final RequestPermits permits = new RequestPermits(64);

    private int takeAll(TenantId tenant) throws InterruptedException {
        int count = 0;
        while (permits.acquire(tenant, Duration.ZERO)) {
            count++;
        }
        return count;
    }

    @Test
    void shouldLeaveRoomForOthers() throws Exception {
        int inAll = 0;
        for (int tenant = 0; tenant < 6; tenant++) {
            inAll += takeAll(new TenantId("slow-" + tenant));
        }
        assertTrue(inAll < 64, () -> "all are taken");
        assertTrue(permits.acquire(new TenantId("well"), Duration.ZERO));
    }

    @Test
    void shouldNeverGrantMorePermitsThanTheTotal() throws Exception {
        int inAll = 0;
        for (int tenant = 0; tenant < 100; tenant++) {
            inAll += takeAll(new TenantId("t-" + tenant));
        }
        assertEquals(64, inAll);
        assertFalse(permits.acquire(new TenantId("late"), Duration.ofMillis(1)));

        permits.release(new TenantId("t-0"));
        assertTrue(permits.acquire(new TenantId("late"), Duration.ZERO));
    }
}
