package dev.laurel.delivery.guard;

import java.net.InetAddress;
import java.net.UnknownHostException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

class AddressGuardTest {

    /** Numbers only: nothing is looked up. */
    @ParameterizedTest
    @CsvSource({"127.0.0.1, false", "127.255.255.254, false", "127.1, false", "2130706433, false", "0.0.0.0, false",
            "0.1.2.3, false", "10.0.0.1, false", "10.255.255.255, false", "11.0.0.1, true", "9.255.255.255, true",
            "172.15.255.255, true", "172.16.0.1, false", "172.31.255.255, false", "172.32.0.1, true",
            "192.167.255.255, true", "192.168.0.1, false", "192.169.0.1, true", "169.253.1.1, true",
            "169.254.169.254, false", "169.255.0.1, true", "100.63.255.255, true", "100.64.0.1, false",
            "100.100.100.200, false", "100.127.255.255, false", "100.128.0.1, true", "192.0.0.8, false",
            "192.0.1.1, true", "192.0.2.1, false", "192.88.99.1, false", "198.17.255.255, true", "198.18.0.1, false",
            "198.19.255.255, false", "198.20.0.1, true", "198.51.100.7, false", "203.0.113.7, false",
            "223.255.255.255, true", "224.0.0.1, false", "239.1.1.1, false", "240.0.0.1, false",
            "255.255.255.255, false", "168.63.129.16, false", "8.8.8.8, true", "1.1.1.1, true",
            "::1, false", "::, false", "::ffff:127.0.0.1, false", "::ffff:10.0.0.1, false", "::ffff:8.8.8.8, true",
            "::127.0.0.1, false", "::8.8.8.8, false", "fe80::1, false", "febf::1, false", "fec0::1, false",
            "fc00::1, false", "fd00:ec2::254, false", "fe00::1, true", "ff02::1, false", "2001:db8::1, false",
            "2001::1, false", "2001:1ff:ffff::1, false", "2001:200::1, true", "2606:4700:4700::1111, true",
            "64:ff9b::127.0.0.1, false", "64:ff9b::a9fe:a9fe, false", "64:ff9b::8.8.8.8, true",
            "64:ff9b:1::8.8.8.8, false", "2002:7f00:1::1, false", "2002:c0a8:101::1, false", "2002:808:808::1, true",
            "3fff::1, false", "100::1, false"})
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
