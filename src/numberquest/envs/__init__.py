"""Any game behind the interfaces that people who build agents use. Each needs its extra, and imports only that.

numberquest.envs.pettingzoo    two agents in turn           pip install '.[pettingzoo]'
numberquest.envs.gymnasium     one learner, one opponent    pip install '.[gymnasium]'
numberquest.envs.openspiel     a game of OpenSpiel          pip install '.[openspiel]'
numberquest.envs.batch         thousands of games at once   NumPy alone
numberquest.envs.llm           rewards for language models  NumPy alone

Wherever one asks for a game, its slug will do, the path of its file, its class, or an object of that class.
"""
