package dev.laurel.delivery.push;

import java.util.List;
import java.util.regex.Pattern;

/**
 * The push services. Device tokens do not name their service, so their form decides: {@code ExponentPushToken[…]} and
 * {@code ExpoPushToken[…]} are Expo's; 64 to 200 hexadecimal digits are an APNs device token (Apple guarantees no length; at present
 * all have 64); everything else is a registration token of FCM, which contains a colon.
 */
enum PushProvider {
    APNS("apns.signingKey", "apns.teamId", "apns.keyId", "apns.bundleId"), FCM("fcm.serviceAccount"), EXPO(
            "expo.token");

    private static final Pattern EXPO_FORM = Pattern.compile("Expo(?:nent)?PushToken\\[[^\\]]+\\]");
    private static final Pattern APNS_FORM = Pattern.compile("[0-9A-Fa-f]{64,200}");

    private final List<String> secrets;

    PushProvider(String... secrets) {
        this.secrets = List.of(secrets);
    }

    static PushProvider of(String deviceToken) {
        if (EXPO_FORM.matcher(deviceToken).matches()) {
            return EXPO;
        }
        return APNS_FORM.matcher(deviceToken).matches() ? APNS : FCM;
    }

    /** The names of the secrets that the service needs (docs/admin-api.md B4). */
    List<String> secrets() {
        return secrets;
    }
}
