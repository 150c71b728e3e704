package dev.laurel.deploy.tools.doctor;

import dev.laurel.deploy.tools.doctor.facts.Facts;
import java.util.List;

/**
 * Judges what was gathered: pure. Says {@code ok} in one finding, or what is wrong in one for each thing that is; nothing where
 * there are no facts to judge.
 */
public interface Check {

    List<Finding> judge(Facts facts);
}
