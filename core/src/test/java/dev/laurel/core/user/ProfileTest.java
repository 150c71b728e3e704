package dev.laurel.core.user;

import static java.time.ZoneOffset.UTC;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;

import dev.laurel.schemas.command.UserChange;
import dev.laurel.schemas.command.UserChange.Change;
import dev.laurel.schemas.command.UserChange.SignUp;
import dev.laurel.schemas.key.UserId;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ProfileTest {

    private static final UserId USER = new UserId("swimmer-77");

    @Test
    void shouldStayTheSameObjectWhenNothingIsGiven() {
        Profile profile = Profile.BLANK.changedBy(UserChange.mention(USER).withName("Ann"), UTC);

        assertSame(profile, profile.changedBy(UserChange.mention(USER), UTC));
    }

    @Test
    void shouldStayTheSameObjectWhenTheSameIsGivenAgain() {
        UserChange change = UserChange.mention(USER).withName("Ann").withTz(ZoneId.of("Europe/Helsinki"));
        Profile profile = Profile.BLANK.changedBy(change, UTC);

        assertSame(profile, profile.changedBy(change, UTC));
        assertNotSame(profile, profile.changedBy(change.withName("Bea"), UTC));
    }

    @Test
    void shouldClearZoneTokensAndSignUpDateByNull() {
        Profile profile = Profile.BLANK.changedBy(
                new UserChange(
                        USER,
                        Change.keep(),
                        Change.keep(),
                        Change.set(ZoneId.of("Asia/Tokyo")),
                        Change.set(List.of("t1", "t2")),
                        Change.keep(),
                        Change.set(new SignUp.OnDate(LocalDate.of(2024, 2, 29))),
                        Map.of()),
                UTC);

        Profile cleared = profile.changedBy(
                new UserChange(
                        USER,
                        Change.keep(),
                        Change.keep(),
                        Change.clear(),
                        Change.clear(),
                        Change.keep(),
                        Change.clear(),
                        Map.of()),
                UTC);

        assertNull(cleared.tz());
        assertEquals(List.of(), cleared.deviceTokens());
        assertEquals(LocalDate.of(2024, 2, 29), profile.signUpDate());
        assertNull(cleared.signUpDate());
    }

    @Test
    void shouldKeepTheSignUpDateWhenTokensAreDropped() {
        Profile profile = Profile.BLANK.changedBy(
                new UserChange(
                        USER,
                        Change.keep(),
                        Change.keep(),
                        Change.keep(),
                        Change.set(List.of("t1")),
                        Change.keep(),
                        Change.set(new SignUp.OnDate(LocalDate.of(2024, 2, 29))),
                        Map.of()),
                UTC);

        assertEquals(LocalDate.of(2024, 2, 29), profile.without(List.of("t1")).signUpDate());
    }

    @Test
    void shouldIgnoreAnEmailWhileUnsubscribed() {
        Profile profile = Profile.BLANK.changedBy(subscribe(false), UTC).changedBy(email("ann@example.org"), UTC);

        assertNull(profile.email());
    }

    @Test
    void shouldUseTheEmailGivenWithANewSubscription() {
        var both = new UserChange(
                USER,
                Change.set("new@example.org"),
                Change.keep(),
                Change.keep(),
                Change.keep(),
                Change.set(true),
                Change.keep(),
                Map.of());

        assertFalse(Profile.BLANK.wouldSubscribeWithoutEmail(both));
        assertEquals(
                "new@example.org",
                Profile.BLANK
                        .changedBy(subscribe(false), UTC)
                        .changedBy(both, UTC)
                        .email());
    }

    private static UserChange email(String address) {
        return new UserChange(
                USER,
                Change.set(address),
                Change.keep(),
                Change.keep(),
                Change.keep(),
                Change.keep(),
                Change.keep(),
                Map.of());
    }

    private static UserChange tokens(String... tokens) {
        return new UserChange(
                USER,
                Change.keep(),
                Change.keep(),
                Change.keep(),
                Change.set(List.of(tokens)),
                Change.keep(),
                Change.keep(),
                Map.of());
    }

    private static UserChange attributes(Map<String, Change<String>> attributes) {
        return new UserChange(
                USER,
                Change.keep(),
                Change.keep(),
                Change.keep(),
                Change.keep(),
                Change.keep(),
                Change.keep(),
                attributes);
    }

    private static UserChange subscribe(boolean wants) {
        return new UserChange(
                USER,
                Change.keep(),
                Change.keep(),
                Change.keep(),
                Change.keep(),
                Change.set(wants),
                Change.keep(),
                Map.of());
    }
}
