package dev.laurel.delivery.guard;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.net.InetAddress;
import java.net.UnknownHostException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;

class AddressGuardTest {

    /** Numbers only: nothing is looked up. */
    @ParameterizedTest
    @CsvFileSource(resources = "AddressGuardTest.shouldTellPublicAddresses.csv")
    void shouldTellPublicAddresses(String address, boolean isPublic) throws UnknownHostException {
        assertEquals(isPublic, AddressGuard.isPublic(InetAddress.getByName(address)), address);
    }

    @Test
    void shouldAllowEverythingWhereThatIsWanted() throws UnknownHostException {
        InetAddress loopback = InetAddress.getLoopbackAddress();

        assertDoesNotThrow(() -> new AddressGuard(true).expectAllowed(loopback));
        assertThrows(AddressGuard.Refused.class, () -> new AddressGuard(false).expectAllowed(loopback));
    }
}
