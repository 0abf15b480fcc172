import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;

import org.opensearch.common.settings.Settings;
import org.opensearch.env.Environment;
import org.opensearch.node.InternalSettingsPreparer;
import org.opensearch.node.Node;
import org.opensearch.plugins.Plugin;

/** One OpenSearch node with the plug-ins that its arguments name: `plugin=CLASS`, everything else is `setting=value`. */
public final class ClusterNode extends Node {
    private ClusterNode(Environment environment, Collection<Class<? extends Plugin>> plugins) {
        super(environment, plugins, true);
    }

    public static void main(String[] arguments) throws Exception {
        Settings.Builder settings = Settings.builder();
        List<Class<? extends Plugin>> plugins = new ArrayList<>();
        for (String argument : arguments) {
            String[] pair = argument.split("=", 2);
            if (pair[0].equals("plugin")) {
                plugins.add(Class.forName(pair[1]).asSubclass(Plugin.class));
            } else {
                settings.put(pair[0], pair[1]);
            }
        }
        Environment environment =
            InternalSettingsPreparer.prepareEnvironment(settings.build(), Map.of(), null, () -> "node");
        ClusterNode node = new ClusterNode(environment, plugins);
        node.start();
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            try {
                node.close();
            } catch (Exception error) {
                error.printStackTrace();
            }
        }));
        new CountDownLatch(1).await();
    }
}
