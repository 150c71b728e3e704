package dev.laurel.delivery.email;

import dev.laurel.delivery.guard.AddressGuard;
import dev.laurel.delivery.message.MessageSender.SendResult;
import dev.laurel.schemas.input.UnicodeText;
import jakarta.mail.AuthenticationFailedException;
import jakarta.mail.MessagingException;
import jakarta.mail.SendFailedException;
import java.util.List;
import org.eclipse.angus.mail.smtp.SMTPAddressFailedException;
import org.eclipse.angus.mail.smtp.SMTPSendFailedException;
import org.eclipse.angus.mail.smtp.SMTPSenderFailedException;

/** Derives the outcome of an email from an error. Reasons are shown to operators, and contain no password and no address. */
final class SmtpFailure {

    private static final int MAX_REASON = 300;
    private static final int PERMANENT = 500;
    private static final int TRANSIENT = 400;

    private SmtpFailure() {}

    static SendResult notReached(Exception e) {
        String what = e instanceof AuthenticationFailedException
                ? "The mail server rejects the login: "
                : "The mail server cannot be reached: ";
        return new SendResult.NotSent(reason(what, e, ""));
    }

    /**
     * A server that answered with an error has not accepted the message, for good (5xx) or for now (4xx). A server that did not answer
     * may have accepted it if it had accepted the DATA command.
     *
     * @param to the address, which the reason must not contain
     */
    static SendResult of(Exception e, boolean isTextBegun, String to) {
        int code = code(e);
        if (code >= PERMANENT) {
            return new SendResult.Refused(reason("The mail server refused: ", e, to), List.of(), isAboutAddress(e));
        }
        if (code >= TRANSIENT || !isTextBegun) {
            return new SendResult.NotSent(reason("The mail server did not accept the message: ", e, to));
        }
        return new SendResult.Doubtful(
                reason("The connection broke during the transmission; the message may have been sent: ", e, to));
    }

    /** The newest status of the server; 0 if there is none. */
    private static int code(Exception e) {
        for (Exception at = e; at instanceof MessagingException mail; at = mail.getNextException()) {
            int code = switch (mail) {
                case SMTPAddressFailedException address -> address.getReturnCode();
                case SMTPSenderFailedException sender -> sender.getReturnCode();
                case SMTPSendFailedException send -> send.getReturnCode();
                default -> 0;
            };
            if (code > 0) {
                return code;
            }
        }
        return 0;
    }

    /** Whether the server refused the address of the recipient. */
    private static boolean isAboutAddress(Exception e) {
        for (Exception at = e; at instanceof MessagingException mail; at = mail.getNextException()) {
            if (mail instanceof SMTPAddressFailedException) {
                return true;
            }
        }
        return false;
    }

    private static String reason(String what, Exception e, String to) {
        Exception cause = e;
        while (cause instanceof MessagingException mail && mail.getNextException() != null
                && (cause instanceof SendFailedException || mail.getNextException() instanceof AddressGuard.Refused)) {
            cause = mail.getNextException();
        }
        String said = cause.getMessage() == null ? cause.getClass().getSimpleName() : cause.getMessage();
        String clean = to.isEmpty() ? said : said.replace(to, "…");
        return UnicodeText.cut(what + clean.replaceAll("[\\p{Cntrl}\\s]+", " ").strip(), MAX_REASON);
    }
}
