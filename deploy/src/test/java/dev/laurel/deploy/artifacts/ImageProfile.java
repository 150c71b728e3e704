package dev.laurel.deploy.artifacts;

import java.io.IOException;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import javax.xml.xpath.XPath;
import javax.xml.xpath.XPathConstants;
import javax.xml.xpath.XPathExpressionException;
import javax.xml.xpath.XPathFactory;
import org.w3c.dom.Document;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;
import org.xml.sax.SAXException;

/** The settings of the container in the profile {@code image} of the pom. */
final class ImageProfile {

    private static final String CONTAINER = "/project/profiles/profile[id='image']//configuration/container/";

    private final Document pom;
    private final XPath path = XPathFactory.newInstance().newXPath();

    private ImageProfile(Document pom) {
        this.pom = pom;
    }

    static ImageProfile read() {
        try {
            var factory = DocumentBuilderFactory.newInstance();
            factory.setFeature("http://apache.org/xml/features/disallow-doctype-decl", true);
            return new ImageProfile(
                    factory.newDocumentBuilder().parse(new InputSource(new StringReader(DeployFiles.text("pom.xml")))));
        } catch (ParserConfigurationException | SAXException | IOException e) {
            throw new IllegalStateException(e);
        }
    }

    List<String> jvmFlags() {
        return texts("jvmFlags/jvmFlag");
    }

    String user() {
        return texts("user").getFirst();
    }

    List<String> volumes() {
        return texts("volumes/volume");
    }

    String mainClass() {
        return texts("mainClass").getFirst();
    }

    private List<String> texts(String of) {
        try {
            var nodes = (NodeList) path.evaluate(CONTAINER + of, pom, XPathConstants.NODESET);
            var texts = new ArrayList<String>();
            for (int i = 0; i < nodes.getLength(); i++) {
                texts.add(nodes.item(i).getTextContent().strip());
            }
            return texts;
        } catch (XPathExpressionException e) {
            throw new IllegalStateException(e);
        }
    }
}
