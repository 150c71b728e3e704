/** Histories of git repositories, read with the git executable. Must not know events or imports. */
package dev.laurel.deploy.tools.git;
