package dev.laurel.deploy.tools.doctor.facts;

/**
 * The directory in which a process of this machine keeps its state.
 *
 * @param owner of it; null if the file system has none
 * @param user who runs this
 * @param openKey a key file that others can read too; null if there is none
 */
public record DirectoryFacts(String path, String owner, String user, boolean isWritable, long freeBytes,
        long totalBytes, String openKey) {}
